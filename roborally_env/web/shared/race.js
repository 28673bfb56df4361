/** The state after a moment; the one before it stays as it was. */
export function apply(state, moment) {
  const after = { ...state, ...moment.set };
  if (moment.robots) {
    after.robots = state.robots.map((robot, n) => (moment.robots[n] ? { ...robot, ...moment.robots[n] } : robot));
  }
  return after;
}

/** A race: its rounds, and the state at any moment. Moments are numbered over the whole race; 0 is the start. */
export class Race {
  /** @param {Object} header as Python's `header_of` gives it */
  constructor(header) {
    this.header = header;
    this.rounds = [];
    this.moments = [];
  }

  /** Take up a round, or what a step has added to the last one. */
  add(chunk) {
    if (chunk.state) this.rounds.push({ round: chunk.round, first: this.moments.length, state: chunk.state });
    for (const moment of chunk.moments) {
      Object.assign(this.header.boards, moment.boards);
      this.moments.push(moment);
    }
  }

  get count() {
    return this.moments.length;
  }

  moment(i) {
    return this.moments[i];
  }

  /** The state after the first `k` moments: from the start of its round on. */
  stateAt(k) {
    const from = this.roundAt(k);
    let { state } = from;
    for (let i = from.first; i < k; i += 1) state = apply(state, this.moments[i]);
    return state;
  }

  /** The last round that had started before moment `k` was over. */
  roundAt(k) {
    let low = 0;
    let high = this.rounds.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.rounds[middle].first < Math.max(1, k)) low = middle;
      else high = middle - 1;
    }
    return this.rounds[low];
  }

  /** The next (step 1) or last (step -1) place after a moment of one of these kinds; the end or start without any. */
  seek(k, step, kinds) {
    for (let at = k + step; at > 0 && at <= this.count; at += step) {
      if (kinds.includes(this.moments[at - 1].kind)) return at;
    }
    return step > 0 ? this.count : 0;
  }
}
