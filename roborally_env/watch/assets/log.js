"use strict";

(() => {
  const { el } = Robo;

  /** The race in words, round by round; rounds are closed but for the one that is shown. */
  Robo.Log = class {
    /**
     * @param {Element} container scrolls
     * @param {Object} header
     * @param {?function(number)} onPick called with the moment number of a line that is clicked
     * @param {{live: boolean}} [options] live: new lines are read out, the last round stays open
     */
    constructor(container, header, onPick, { live = false } = {}) {
      Object.assign(this, { container, header, onPick, live });
      this.rounds = [];
      this.now = null;
      container.classList.add("rr-log");
      if (live) {
        container.setAttribute("role", "log");
        container.setAttribute("aria-live", "polite");
      }
    }

    /** Sentences of moment `number` (counted from 1: the state after it is shown when a line is picked). */
    add(texts, number, kind) {
      if (kind === "round" || !this.rounds.length) {
        this.beginRound(kind === "round" ? texts[0] : "The start", number);
        if (kind === "round") return;
      }
      const round = this.rounds[this.rounds.length - 1];
      for (const text of texts) {
        const entry = { text, number, kind, node: null };
        round.entries.push(entry);
        if (round.built) round.list.append(this.line(entry));
      }
      if (this.live) this.scrollDown();
    }

    /** Light the lines of the moment `number`, or of the last one before it that has any. */
    to(number) {
      const round = this.rounds.findLast((each) => each.number <= Math.max(1, number)) ?? this.rounds[0];
      if (!round) return;
      if (round !== this.open) this.show(round);
      const last = round.entries.findLast((entry) => entry.number <= number);
      this.light(last ? round.entries.filter((entry) => entry.number === last.number) : [], round);
    }

    // -- inside

    beginRound(title, number) {
      const list = el("ol");
      const details = el("details", {}, el("summary", { text: title }), list);
      const round = { number, list, details, entries: [], built: false };
      details.addEventListener("toggle", () => details.open && this.build(round));
      this.rounds.push(round);
      this.container.append(details);
      if (this.live || this.rounds.length === 1) this.show(round);
    }

    show(round) {
      if (this.open) this.open.details.open = false;
      this.open = round;
      this.build(round);
      round.details.open = true;
    }

    build(round) {
      if (round.built) return;
      round.built = true;
      round.list.append(...round.entries.map((entry) => this.line(entry)));
    }

    line(entry) {
      const words = Robo.sentenceNode(entry.text, this.header);
      const pick = this.onPick && !this.live;
      const inside = pick ? el("button", { type: "button", onclick: () => this.onPick(entry.number) }) : el("span");
      inside.append(words);
      entry.node = el("li", { class: `rr-line rr-of-${entry.kind}` }, inside);
      return entry.node;
    }

    light(entries, round) {
      for (const node of this.lit ?? []) node.classList.remove("rr-now");
      this.lit = entries.map((entry) => entry.node);
      for (const node of this.lit) node.classList.add("rr-now");
      const box = this.container.getBoundingClientRect();
      const line = (this.lit[0] ?? round.details).getBoundingClientRect();
      if (line.bottom > box.bottom - 24) this.container.scrollTop += line.bottom - box.bottom + box.height / 3;
      else if (line.top < box.top + 34) this.container.scrollTop -= box.top - line.top + box.height / 3; // below the heading
    }

    scrollDown() {
      this.container.scrollTop = this.container.scrollHeight;
    }
  };
})();
