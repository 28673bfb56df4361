import { el } from "../shared/elements.js";
import { robotsIn, sentenceNode } from "../shared/names.js";

const TOGETHER = 1.4; // percent of the slider: marks that are closer are one

/** What a moment is marked for: a robot destroyed or rebooted, a checkpoint, the end; null for all others. */
const markOf = (moment, race) => {
  if (moment.kind === "end") return race.stateAt(race.count).winner == null ? null : "win";
  if (Object.values(moment.robots ?? {}).some((robot) => "reboots" in robot)) return "lost";
  return moment.kind === "checkpoint" || moment.kind === "flag" ? "checkpoint" : null;
};
const RANK = ["checkpoint", "lost", "win"]; // of marks that lie together the last is seen
const SIGNS = { checkpoint: "⚑", lost: "✕", win: "★" };

/** Marks above the slider: checkpoints, lost robots, the end; the pointer shows their text. */
export class Events {
  /**
   * @param {Element} container as wide as the slider
   * @param {Race} race
   * @param {function(number)} go to a moment
   */
  constructor(container, race, go) {
    Object.assign(this, { race, go });
    this.marks = this.find();
    this.tip = el("div.rr-tip", { hidden: true });
    container.append(...this.cluster().map((marks) => this.button(marks)), this.tip);
  }

  /** The place of the next mark (step 1) or the last (-1) from moment `k`; null without any. */
  seek(k, step) {
    const found = step > 0 ? this.marks.find((mark) => mark.at > k) : this.marks.findLast((mark) => mark.at < k);
    return found?.at ?? null;
  }

  // -- inside

  find() {
    return this.race.moments.flatMap((moment, i) => {
      const kind = markOf(moment, this.race);
      return kind ? [{ kind, at: i + 1, moment }] : [];
    });
  }

  cluster() {
    const clusters = [];
    for (const mark of this.marks) {
      const last = clusters.at(-1);
      const isNear = last && (100 * (mark.at - last[0].at)) / this.race.count < TOGETHER;
      if (isNear) last.push(mark);
      else clusters.push([mark]);
    }
    return clusters;
  }

  button(marks) {
    const shown = marks.reduce((most, mark) => (RANK.indexOf(mark.kind) > RANK.indexOf(most.kind) ? mark : most));
    const { header } = this.race;
    const node = el(`button.rr-event.rr-${shown.kind}`, {
      type: "button", tabindex: "-1", text: SIGNS[shown.kind], onclick: () => this.go(shown.at),
      onpointerenter: () => this.showTip(node, marks), onpointerleave: () => { this.tip.hidden = true; },
    });
    const robots = [...new Set(marks.flatMap(({ moment }) => robotsIn(moment.text)))];
    const colors = robots.map((robot) => header.robots[robot].color);
    node.style.setProperty("--rr-robot", colors[0] ?? "currentcolor");
    node.style.left = `${(100 * shown.at) / this.race.count}%`;
    return node;
  }

  /** The words of marks, above them. */
  showTip(node, marks) {
    const { tip } = this;
    const { header } = this.race;
    const said = marks.slice(0, 6).map(({ moment, at }) => {
      const { round } = this.race.roundAt(at);
      return el("p", {}, el("b", { text: `Round ${round}: ` }), sentenceNode(moment.text.join(" "), header));
    });
    const more = marks.length - said.length;
    tip.replaceChildren(...said, ...(more ? [el("p", { text: `and ${more} more` })] : []));
    tip.hidden = false;
    const room = tip.parentElement.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(room, node.offsetLeft + node.offsetWidth / 2 - tip.offsetWidth / 2))}px`;
  }
}
