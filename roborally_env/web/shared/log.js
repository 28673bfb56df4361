import { el } from "./elements.js";
import { followed } from "./follow.js";
import { robotsIn, sentenceNode } from "./names.js";

const HEADING = 34; // pixels of a round's heading, which stays above its lines

/** The race in words, round by round; rounds are closed but for the one that is shown. */
export class Log {
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
    document.addEventListener("rr-follow", () => this.rounds.forEach((round) => round.entries.forEach((entry) => this.markFollowed(entry))));
    container.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step && this.walk(step)) event.preventDefault();
    });
    const bringBack = () => this.lit?.[0]?.isConnected && this.bringIn(this.lit[0], this.lit[this.lit.length - 1]);
    new ResizeObserver(bringBack).observe(container); // a box that was higher for a while has lost its place
    if (live) {
      container.setAttribute("role", "log");
      container.setAttribute("aria-live", "polite");
      container.setAttribute("tabindex", "0"); // its lines are no buttons
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
    const lit = last ? round.entries.filter((entry) => entry.number === last.number).map((entry) => entry.node) : [];
    this.light(lit.length ? lit : [round.summary]);
  }

  /** The line before (-1) or after (1) the one that has the focus gets it: all lines are one stop of the tab key. */
  walk(step) {
    const lines = [...this.container.querySelectorAll("summary, details[open] li > button")];
    const next = lines[lines.indexOf(document.activeElement) + step];
    next?.focus();
    return Boolean(next);
  }

  // -- inside

  beginRound(title, number) {
    const list = el("ol");
    const summary = el("summary", { text: title, tabindex: "-1" });
    if (this.onPick && !this.live) {
      summary.title = "Go to this round";
      summary.addEventListener("click", (event) => {
        event.preventDefault(); // going there opens it
        this.onPick(number);
      });
    }
    const details = el("details", {}, summary, list);
    const round = { number, list, details, summary, entries: [], built: false };
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
    const words = sentenceNode(entry.text, this.header);
    const pick = this.onPick && !this.live;
    const act = () => this.onPick(entry.number);
    const inside = pick ? el("button", { type: "button", tabindex: "-1", onclick: act }) : el("span");
    inside.append(words);
    entry.node = el("li", { class: `rr-line rr-of-${entry.kind}` }, inside);
    this.markFollowed(entry);
    return entry.node;
  }

  /** A line about the robot that is followed stands out, in its colour. */
  markFollowed({ node, text }) {
    if (!node) return; // not built yet
    const isAbout = followed() !== null && robotsIn([text]).includes(followed());
    node.classList.toggle("rr-about", isAbout);
    if (isAbout) node.style.setProperty("--rr-robot", this.header.robots[followed()].color);
  }

  light(nodes) {
    for (const node of this.lit ?? []) node.classList.remove("rr-now");
    for (const node of nodes) node.classList.add("rr-now");
    this.makeStop(this.lit?.[0], "-1");
    this.makeStop(nodes[0], "0");
    this.lit = nodes;
    this.bringIn(nodes[0], nodes[nodes.length - 1]);
  }

  /** Make a line the stop of the tab key, or no stop. */
  makeStop(node, tabindex) {
    (node?.matches("summary") ? node : node?.querySelector("button"))?.setAttribute("tabindex", tabindex);
  }

  /** Scroll so that the lines from `first` to `last` are seen below the heading of their round. */
  bringIn(first, last) {
    const box = this.container.getBoundingClientRect();
    const [top, bottom] = [first.getBoundingClientRect().top, last.getBoundingClientRect().bottom];
    const isIn = top >= box.top + HEADING && bottom <= box.bottom;
    if (first.matches("summary")) this.container.scrollTop += first.parentElement.getBoundingClientRect().top - box.top;
    else if (!isIn) this.container.scrollTop += top - box.top - Math.max(HEADING, box.height / 3);
  }

  scrollDown() {
    this.container.scrollTop = this.container.scrollHeight;
  }
}
