// The guide of the first race: a card that explains each thing when it comes, and points at it. It never blocks: the
// race can be played as if it were not there, and it can be ended at any time.

import { el } from "../shared/elements.js";
import { keptInTab } from "../shared/kept.js";

const PHASES = ["shop1", "program1", "placed1", "complete1", "round1", "shop2", "program2", "round2", "on", "end"];
const LAST = ["on", "end"]; // phases after which there is nothing more
const GAP = 14; // pixels between the card and what it points at
const KEPT = "guide";
const ASIDE = "question"; // the phase of the step for questions that cards ask, whenever they do
const SHOP = ["buy_upgrade", "replace_upgrade"];
// what is better not covered, and how much worse an area of it is than one of the desk
const MATTERS = [[".rr-bot", 60], [".rr-ghost-end, .rr-checkpoint, .guided-cell", 30], [".desk, #panels", 1]];
const OWN = 400; // the own robot

export class Guide {
  /** `page` has header, own, state, now, race, board, desk, isBehind, mark(cell, kind). */
  constructor(page, steps) {
    Object.assign(this, { page, steps, at: -1, phase: 0 });
    const was = keptInTab.get(KEPT) ?? {};
    this.seen = new Set(was.seen);
    this.isOver = Boolean(was.isOver);
    this.title = el("h2", { id: "guide-title" });
    this.text = el("p", { id: "guide-text" });
    const button = (text, title, key, onclick) =>
      el("button", { type: "button", class: "quiet small", title, "aria-keyshortcuts": key, text, onclick });
    this.back = button("Back", "Previous step (B)", "b", () => this.move(-1));
    this.next = button("Next", "Next step (N)", "n", () => this.move(1));
    this.end = button("End the guide", "Play without the guide", null, () => this.finish());
    this.now = el("p", { class: "guide-now" });
    this.card = el("section", { class: "guide", "aria-labelledby": "guide-title", hidden: true },
      el("div", { "aria-live": "polite" }, this.title, this.text, this.now), el("div", { class: "guide-tools" }, this.end, this.back, this.next));
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

  /** The page has changed: perhaps another phase has started. */
  update() {
    if (this.isOver || this.waiting) return;
    if (this.isAskedAside()) {
      this.explainQuestion();
      return;
    }
    const found = this.phaseNow();
    if (found > this.phase) this.phase = found;
    const current = this.steps[this.at];
    if (current && (current.phase === PHASES[this.phase])) {
      this.place();
      return;
    }
    const first = this.steps.findIndex((step, i) => step.phase === PHASES[this.phase] && !this.seen.has(i));
    if (first >= 0) this.show(first);
    else this.remind();
  }

  /** Whether a card asks something: no program, and nothing to buy. */
  isAskedAside() {
    const { now, deskKey } = this.page;
    const question = deskKey.startsWith("ask") ? now.questions[0] : null;
    return Boolean(question) && question.kind !== "program" && !SHOP.includes(question.kind);
  }

  /** What such a question is; for a later one only what is to be done. */
  explainQuestion() {
    const step = this.steps.findIndex(({ phase }) => phase === ASIDE);
    if (this.at === step) {
      this.place();
      return;
    }
    const isKnown = this.seen.has(step);
    this.show(step);
    if (isKnown) this.shrink(true);
  }

  /** All of a phase was read: what is to be done now, while it is asked. */
  remind() {
    const last = this.steps.findLastIndex(({ phase, now }) => now && phase === PHASES[this.phase]);
    if (last < 0 || !this.page.deskKey.startsWith("ask")) {
      this.hide();
      return;
    }
    this.show(last);
    this.shrink(true);
  }

  /** The number of the phase in which the race is now. */
  phaseNow() {
    const { page } = this;
    const { state, now, desk } = page;
    if (now.phase === "over" && !page.isBehind) return PHASES.indexOf("end");
    const round = state ? state.round : 0;
    if (round > 2) return PHASES.indexOf("on");
    const question = page.deskKey.startsWith("ask") ? now.questions[0] : null;
    if (!question) return state && state.register ? PHASES.indexOf(`round${round}`) : 0;
    if (question.kind !== "program") return question.register ? 0 : PHASES.indexOf(`shop${round}`);
    if (round === 2) return PHASES.indexOf("program2");
    if (!desk || !desk.draft) return this.phase; // the desk is not ready yet
    const { draft } = desk;
    return PHASES.indexOf(draft.isComplete ? "complete1" : draft.order.length ? "placed1" : "program1");
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
    if (this.isSmall) {
      if (by < 0) this.show(this.at);
      return;
    }
    const to = this.at + by;
    const isThere = this.steps[to] && (this.steps[to].phase === phase || (by < 0 && this.steps[to].phase));
    if (isThere) this.show(to);
    else if (by > 0 && LAST.includes(phase)) this.finish();
    else if (by > 0 && this.steps[this.at].now) this.shrink(true);
  }

  /** After the last step of a phase only what is to be done now is left, so that it covers nothing. */
  shrink(isSmall) {
    this.card.classList.toggle("is-small", isSmall);
    this.title.hidden = this.text.hidden = this.next.hidden = isSmall;
    if (isSmall) this.back.disabled = false;
    this.place();
  }

  get isSmall() {
    return this.card.classList.contains("is-small");
  }

  finish() {
    this.isOver = true;
    this.keep();
    this.hide();
    this.goOn();
  }

  keep() {
    keptInTab.set(KEPT, { seen: [...this.seen], isOver: this.isOver });
  }

  // -- showing it

  show(number) {
    this.at = number;
    this.seen.add(number);
    this.keep();
    const { title, text, now, phase } = this.steps[number];
    this.title.textContent = title;
    this.text.textContent = text;
    this.now.textContent = now ?? "";
    this.now.hidden = !now;
    this.end.hidden = LAST.includes(phase);
    this.back.disabled = Boolean(this.waiting) || !phase || !this.steps[number - 1]?.phase;
    this.next.textContent = LAST.includes(phase) ? "Done" : now ? "Got it" : "Next";
    this.card.hidden = false;
    this.point();
    this.shrink(false);
  }

  hide() {
    this.at = -1;
    this.card.hidden = true;
    this.page.mark(null, "guided-cell");
    document.querySelector(".is-guided")?.classList.remove("is-guided");
  }

  /** Mark what the step is about. */
  point() {
    this.page.mark(null, "guided-cell");
    this.cells().forEach((cell, i) => this.page.mark(cell, "guided-cell", null, i > 0));
  }

  /** The spaces that a step is about. */
  cells() {
    const { at } = this.steps[this.at];
    const { state } = this.page;
    if (at.cells) return at.cells;
    if (at.checkpoints) return at.checkpoints.map((number) => state.checkpoints[number - 1]).filter(Boolean);
    if (at.robot) return [state.robots[this.moved ?? this.page.own.robots[0]].at].filter(Boolean);
    return [];
  }

  /** What the card points at: the box round the spaces, or an element. */
  target() {
    const { at, do: todo } = this.steps[this.at];
    const isTodo = this.isSmall && todo;
    const element = isTodo || typeof at === "string" ? document.querySelector(isTodo ? todo : at) : null;
    document.querySelectorAll(".is-guided").forEach((each) => each !== element && each.classList.remove("is-guided"));
    element?.classList.add("is-guided"); // it may have been made anew
    const boxes = [...(element ? [element] : document.querySelectorAll(".guided-cell"))].map((each) => each.getBoundingClientRect());
    return boxes.length ? around(boxes) : new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
  }

  /** Beside what it points at, and where it covers least of what matters. */
  place() {
    if (this.card.hidden) return;
    const box = this.target();
    const { width, height } = this.card.getBoundingClientRect();
    const clamp = (value, most) => Math.round(Math.min(Math.max(value, 8), Math.max(8, most - 8)));
    const middle = clamp((box.left + box.right - width) / 2, innerWidth - width);
    const centre = clamp((box.top + box.bottom - height) / 2, innerHeight - height);
    const isLarge = !this.isSmall && box.width > 2 * width && box.height > 2 * height; // the board of a wide window: in its corner
    const places = [
      [isLarge, box.right - width - GAP, box.top + GAP, "over"],
      [box.top - height - GAP >= 0, middle, box.top - height - GAP, "above"],
      [box.bottom + height + GAP <= innerHeight, middle, box.bottom + GAP, "below"],
      [box.left - width - GAP >= 0, box.left - width - GAP, centre, "left"],
      [box.right + width + GAP <= innerWidth, box.right + GAP, centre, "right"],
    ].filter(([fits]) => fits);
    const tops = [document.querySelector(".bar").getBoundingClientRect().bottom + 8, innerHeight - height - 8];
    if (!places.length || innerWidth < 701) places.push(...tops.map((y) => [true, middle, Math.max(8, y), "over"]));
    const own = this.page.own.robots.map((robot) => `[data-robot="${robot}"]`).join(", ");
    const matters = MATTERS.flatMap(([selector, worth]) => [...document.querySelectorAll(selector)].map(
      (each) => [each.getBoundingClientRect(), own && each.matches(`.rr-bot:is(${own})`) ? OWN : worth]));
    matters.push([box, 3]);
    const covered = ([, x, y]) => matters.reduce((sum, [each, worth]) => sum + worth * shared(each, new DOMRect(x, y, width, height)), 0);
    const [, x, y, side] = isLarge ? places[0] : places.reduce((best, each) => (covered(each) < covered(best) ? each : best));
    this.card.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
    this.card.dataset.side = side;
    const tip = side === "left" || side === "right" ? (box.top + box.bottom) / 2 - y : (box.left + box.right) / 2 - x;
    const room = side === "left" || side === "right" ? height : width;
    this.card.style.setProperty("--tip", `${Math.round(Math.min(Math.max(tip, 18), room - 18))}px`);
  }
}

/** The box round some boxes. */
function around(boxes) {
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

/** The area that two boxes share. */
function shared(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}
