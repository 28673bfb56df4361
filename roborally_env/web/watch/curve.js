import { el, svg } from "../shared/elements.js";
import { inkOn, robotNode } from "../shared/names.js";

const LINES = [0, 25, 50, 75, 100]; // percent
const LABELS = [0, 50, 100];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 5", "12 4", "1 4", "9 3 2 3 2 3"]; // robots differ in more than colour
const BETWEEN_LABELS = 7; // percent of the width; numbers of rounds that are closer would touch on a phone
const BETWEEN_MARKS = 11; // percent of the height

/** The chance to win of each robot, round by round, with a mark for each blunder and brilliant program. */
export class Curve {
  /**
   * @param {Object} header of the timeline
   * @param {number[][]} chances before each round, and at the end; by robot
   * @param {function(number)} pick called with the number of a round (from 0, the start, to the number of rounds, the end)
   */
  constructor(header, chances, pick) {
    Object.assign(this, { header, chances });
    this.last = chances.length - 1;
    this.shown = new Set();
    this.plot = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.cursor = svg("line", { y1: 0, y2: 100, class: "rr-cursor" });
    this.lines = header.robots.map((robot) => this.line(robot));
    this.plot.append(...LINES.map(grid), ...this.lines.flat(), this.cursor);
    this.marks = el("div.rr-curve-marks");
    const box = el("div.rr-curve-box", {}, this.plot, ...LABELS.map(percentLabel), ...this.roundLabels(), this.marks);
    box.addEventListener("click", (event) => pick(this.roundAt(event.clientX)));
    this.legend = header.robots.map((robot) => this.entry(robot));
    const names = el("div.rr-legend", { role: "group", "aria-label": "Robots on the curve" }, ...this.legend.map(({ node }) => node));
    this.root = el("div.rr-curve", {}, box, names);
  }

  /** Put marks on the curve: [{round, seat, sign, text, choose}]. Those that would lie on each other are spread. */
  setMarks(marks) {
    const taken = [];
    this.marks.replaceChildren(...marks.map(({ round, seat, sign, text, choose }) => {
      const left = this.left(round - 1);
      const isFree = (top) => taken.every(([x, y]) => Math.abs(x - left) > 3 || Math.abs(y - top) >= BETWEEN_MARKS);
      const wanted = 100 - 100 * this.chances[round - 1][seat];
      const places = [0, -1, 1, -2, 2, -3, 3, -4, 4].map((step) => wanted + BETWEEN_MARKS * step);
      const top = places.find((place) => place >= 0 && place <= 100 && isFree(place)) ?? wanted;
      taken.push([left, top]);
      const mark = el("button", { type: "button", tabindex: "-1", title: text, "aria-label": text, text: sign });
      mark.addEventListener("click", (event) => {
        event.stopPropagation();
        choose();
      });
      mark.style.setProperty("--rr-robot", this.header.robots[seat].color);
      mark.style.color = inkOn(this.header.robots[seat].color);
      mark.style.left = `${left}%`;
      mark.style.top = `${top}%`;
      return mark;
    }));
  }

  /** Show where the race is: `place` counts rounds from the start on, with parts of a round. */
  to(place) {
    const x = this.left(Math.min(place, this.last));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const row = this.chances[Math.min(Math.floor(place), this.last)];
    this.legend.forEach(({ value }, seat) => { value.textContent = percent(row[seat]); });
  }

  // -- inside

  left(round) {
    return (100 * round) / Math.max(1, this.last);
  }

  roundAt(clientX) {
    const { left, width } = this.plot.getBoundingClientRect();
    return Math.min(this.last, Math.max(0, Math.round(((clientX - left) / width) * this.last)));
  }

  line({ number, color }) {
    const points = this.chances.map((row, i) => `${this.left(i).toFixed(2)},${(100 - 100 * row[number]).toFixed(2)}`);
    const shape = { points: points.join(" "), "vector-effect": "non-scaling-stroke", "data-robot": number };
    const line = svg("polyline", { ...shape, class: "rr-line-of", "stroke-dasharray": DASHES[number % DASHES.length] });
    line.style.stroke = color;
    return [svg("polyline", { ...shape, class: "rr-casing" }), line];
  }

  roundLabels() {
    let labelled = -Infinity;
    return this.chances.map((_, i) => {
      const left = this.left(i);
      const isEnd = i === this.last;
      const fits = left - labelled >= BETWEEN_LABELS && (isEnd || this.left(this.last) - left >= BETWEEN_LABELS);
      if (fits || isEnd) labelled = left;
      const label = el("span.rr-x", { "aria-hidden": "true", text: isEnd ? "end" : fits ? String(i + 1) : "" });
      label.style.left = `${left}%`;
      return label;
    });
  }

  /** A robot's line, name and chance; pressed, its line stands out. */
  entry(robot) {
    const sample = svg("svg", { viewBox: "0 0 24 10", class: "rr-sample", "aria-hidden": "true" });
    const line = svg("line", { x1: 1, x2: 23, y1: 5, y2: 5, class: "rr-line-of", "stroke-dasharray": DASHES[robot.number % DASHES.length] });
    line.style.stroke = robot.color;
    sample.append(svg("line", { x1: 0, x2: 24, y1: 5, y2: 5, class: "rr-casing" }), line);
    const value = el("b");
    const node = el("button", { type: "button", "aria-pressed": "false", title: "Highlight this line" },
      sample, robotNode(robot.number, this.header), value);
    node.addEventListener("click", () => this.toggle(robot.number, node));
    return { node, value };
  }

  toggle(number, node) {
    const isOn = !this.shown.has(number);
    if (isOn) this.shown.add(number);
    else this.shown.delete(number);
    node.setAttribute("aria-pressed", String(isOn));
    this.lines.forEach((lines, seat) => {
      const faint = this.shown.size > 0 && !this.shown.has(seat);
      lines.forEach((line) => line.classList.toggle("rr-faint", faint));
    });
  }
}

const grid = (at) => svg("line", { x1: 0, x2: 100, y1: 100 - at, y2: 100 - at, class: "rr-grid", "vector-effect": "non-scaling-stroke" });

const percentLabel = (at) => {
  const label = el("span.rr-y", { "aria-hidden": "true", text: `${at}%` });
  label.style.top = `${100 - at}%`;
  return label;
};

/** A chance as text: "24%". */
export const percent = (chance) => `${Math.round(100 * chance)}%`;

/** A gain or loss as text with its sign: "+3%", "−12%", "0%". */
export const points = (gain) => {
  const rounded = Math.round(100 * gain);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)}%`;
};
