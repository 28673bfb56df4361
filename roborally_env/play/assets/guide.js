// The guide of the first race: a card that explains each thing when it comes, and points at it. It never blocks: the
// race can be played as if it were not there, and it can be ended at any time.

import { kept } from "./controls.js";
import { el } from "./dom.js";

const PHASES = ["shop1", "program1", "laid1", "complete1", "round1", "shop2", "program2", "round2", "end"];
const GAP = 14; // pixels between the card and what it points at
const KEPT = "guide";

export class Guide {
  /** `page` has header, own, state, now, race, board, desk, isBehind, mark(cell, kind). */
  constructor(page, steps) {
    Object.assign(this, { page, steps, at: -1, phase: 0 });
    const was = kept.get(sessionStorage, KEPT) ?? {};
    this.seen = new Set(was.seen);
    this.isOver = Boolean(was.isOver);
    this.title = el("h2", { id: "guide-title" });
    this.text = el("p", { id: "guide-text" });
    const button = (text, title, key, onclick) =>
      el("button", { type: "button", class: "quiet small", title, "aria-keyshortcuts": key, text, onclick });
    this.back = button("Back", "The step before (B)", "b", () => this.move(-1));
    this.next = button("Next", "Go on (N)", "n", () => this.move(1));
    this.end = button("End the guide", "Play without it", null, () => this.finish());
    this.card = el("section", { class: "guide", "aria-labelledby": "guide-title", hidden: true },
      el("div", { "aria-live": "polite" }, this.title, this.text), el("div", { class: "guide-tools" }, this.end, this.back, this.next));
    document.querySelector("main").before(this.card);
    addEventListener("resize", () => this.place());
    document.addEventListener("keydown", (event) => this.key(event));
    this.watched = new ResizeObserver(() => this.place());
    this.watched.observe(document.getElementById("desk"));
  }

  key(event) {
    if (this.card.hidden || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "n" || event.key === "N") this.move(1);
    else if (event.key === "b" || event.key === "B") this.move(-1);
  }

  // -- which step

  /** The page has changed: perhaps another phase has begun. */
  update() {
    if (this.isOver || this.waiting) return;
    const found = this.phaseNow();
    if (found > this.phase) this.phase = found;
    const current = this.steps[this.at];
    if (current && (current.phase === PHASES[this.phase])) {
      this.place();
      return;
    }
    const first = this.steps.findIndex((step, i) => step.phase === PHASES[this.phase] && !this.seen.has(i));
    if (first >= 0) this.show(first);
    else this.hide();
  }

  /** The number of the phase in which the race is now. */
  phaseNow() {
    const { page } = this;
    const { state, now, desk } = page;
    if (now.phase === "over" && !page.isBehind) return PHASES.indexOf("end");
    const round = state ? state.round : 0;
    if (round > 2) return PHASES.indexOf("end");
    const question = page.deskKey.startsWith("ask") ? now.questions[0] : null;
    if (!question) return state && state.register ? PHASES.indexOf(`round${round}`) : 0;
    if (question.kind !== "program") return question.register ? 0 : PHASES.indexOf(`shop${round}`);
    if (round === 2) return PHASES.indexOf("program2");
    if (!desk || !desk.draft) return this.phase; // the desk is just being laid
    const { draft } = desk;
    return PHASES.indexOf(draft.isComplete ? "complete1" : draft.order.length ? "laid1" : "program1");
  }

  /** Before a moment is shown: the first of its kind is explained. Resolves when the reader goes on, or skips. */
  async meet(moment) {
    const step = this.steps.findIndex(({ moment: kinds }, i) => kinds && kinds.includes(moment.kind) && !this.seen.has(i));
    if (this.isOver || step < 0) return;
    this.moved = Object.keys(moment.robots ?? {})[0] ?? moment.fx?.find(({ robot }) => robot !== undefined)?.robot;
    this.show(step);
    await new Promise((resolve) => { this.waiting = resolve; });
  }

  /** Let the race go on. */
  goOn() {
    const go = this.waiting;
    this.waiting = null;
    if (go) {
      this.hide();
      go();
    }
  }

  move(by) {
    if (this.waiting) {
      if (by > 0) this.goOn();
      return;
    }
    const { phase } = this.steps[this.at];
    const to = this.at + by;
    const isThere = this.steps[to] && (this.steps[to].phase === phase || (by < 0 && this.steps[to].phase));
    if (isThere) this.show(to);
    else if (by > 0 && phase === "end") this.finish();
    else if (by > 0) this.hide();
  }

  finish() {
    this.isOver = true;
    this.keep();
    this.hide();
    this.goOn();
  }

  keep() {
    kept.set(sessionStorage, KEPT, { seen: [...this.seen], isOver: this.isOver });
  }

  // -- showing it

  show(number) {
    this.at = number;
    this.seen.add(number);
    this.keep();
    const { title, text, phase } = this.steps[number];
    this.title.textContent = title;
    this.text.textContent = text;
    this.back.disabled = Boolean(this.waiting) || !phase || !this.steps[number - 1]?.phase;
    this.next.textContent = phase === "end" ? "Done" : "Next";
    this.card.hidden = false;
    this.point();
    this.place();
  }

  hide() {
    this.at = -1;
    this.card.hidden = true;
    this.page.mark(null, "guided-cell");
    document.querySelector(".is-guided")?.classList.remove("is-guided");
  }

  /** Mark what the step is about. */
  point() {
    document.querySelector(".is-guided")?.classList.remove("is-guided");
    this.page.mark(null, "guided-cell");
    const cell = this.cell();
    if (cell) this.page.mark(cell, "guided-cell");
  }

  cell() {
    const { at } = this.steps[this.at];
    const { state } = this.page;
    if (at.cell) return at.cell;
    if (at.checkpoint) return state.checkpoints[at.checkpoint - 1];
    if (at.robot) return state.robots[this.moved ?? this.page.own.robots[0]].at;
    return null;
  }

  /** Beside what it points at, not over it. */
  place() {
    if (this.card.hidden) return;
    const target = this.cell() ? document.querySelector(".guided-cell") : document.querySelector(this.steps[this.at].at);
    if (target && !this.cell()) target.classList.add("is-guided"); // it may have been made anew
    const box = target ? target.getBoundingClientRect() : new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
    const { width, height } = this.card.getBoundingClientRect();
    const clamp = (value, most) => Math.round(Math.min(Math.max(value, 8), Math.max(8, most - 8)));
    const middle = clamp((box.left + box.right - width) / 2, innerWidth - width);
    const centre = clamp((box.top + box.bottom - height) / 2, innerHeight - height);
    const isLarge = box.width > 2 * width && box.height > 2 * height; // the board of a wide window: in its corner
    const places = [
      [isLarge, box.right - width - GAP, box.top + GAP, "over"],
      [box.top - height - GAP >= 0, middle, box.top - height - GAP, "above"],
      [box.bottom + height + GAP <= innerHeight, middle, box.bottom + GAP, "below"],
      [box.left - width - GAP >= 0, box.left - width - GAP, centre, "left"],
      [box.right + width + GAP <= innerWidth, box.right + GAP, centre, "right"],
      [true, middle, clamp(box.top + GAP, innerHeight - height), "over"],
    ];
    const [, x, y, side] = places.find(([fits]) => fits);
    this.card.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
    this.card.dataset.side = side;
    const tip = side === "left" || side === "right" ? (box.top + box.bottom) / 2 - y : (box.left + box.right) / 2 - x;
    const room = side === "left" || side === "right" ? height : width;
    this.card.style.setProperty("--tip", `${Math.round(Math.min(Math.max(tip, 18), room - 18))}px`);
  }
}
