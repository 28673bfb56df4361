import { el } from "../shared/elements.js";
import { nameOf, robotNode } from "../shared/names.js";
import { Curve, percent, points } from "./curve.js";
import { decisionNode, Decisions, decisionText, signOf } from "./decisions.js";
import { clearGhosts, drawGhosts } from "./ghosts.js";

const HEADS = [
  ["start", "win probability before round 1"], ["cards", "change from hands better or worse than average"],
  ["others", "change from the other robots' actions and from chance"], ["own", "change from its own programs and purchases"],
  ["end", "win probability at the end"],
  ["??", "blunders"], ["!!", "brilliant programs"],
];

/** The race looked back on, beside the board: chances, decisions, a summary. In step with the viewer. */
export class Review {
  /** More keys of the page, for its list of keys. */
  static KEYS = [["N, Shift + N", "next or previous blunder or brilliant program"]];

  constructor(viewer, data) {
    Object.assign(this, { viewer, header: viewer.header, race: viewer.race, data });
    this.chosen = null;
    this.curve = new Curve(this.header, data.chances, (round) => viewer.go(this.momentOf(round)));
    this.curve.setMarks(data.decisions.filter((decision) => decision.mark).map((decision) => ({
      round: decision.round, seat: decision.seat, sign: signOf(decision), text: decisionText(decision, this.header),
      choose: () => this.choose(decision),
    })));
    this.decisions = new Decisions(this.header, data.decisions, (decision) => this.choose(decision));
    this.build();
  }

  /** Show the moment `at`: a decision of another round is no longer chosen. */
  to(at) {
    const { round, first } = this.race.roundAt(at);
    const next = this.race.rounds.find((each) => each.round === round + 1)?.first ?? this.race.count;
    this.curve.to(at >= this.race.count ? this.data.chances.length - 1 : Math.max(0, round - 1) + (round ? (at - first) / Math.max(1, next - first) : 0));
    if (this.chosen && this.chosen.round !== round) this.leave();
    this.decisions.to(round, this.chosen);
  }

  /** Show a decision where it is made, with its ghosts. */
  choose(decision) {
    this.chosen = null;
    this.viewer.go(this.momentOfDecision(decision));
    this.chosen = decision;
    const before = this.viewer.board.state;
    const key = decision.ghosts.made ? [this.ghostsKey(decision)] : [];
    this.box.replaceChildren(decisionNode(decision, this.header, before), ...key);
    drawGhosts(this.viewer.board, this.header.robots[decision.seat], decision.ghosts);
    this.decisions.to(decision.round, decision);
    this.said.textContent = decisionText(decision, this.header);
  }

  /** The marked decision before (-1) or after (1) the one that is chosen, or the moment that is shown. */
  step(by) {
    const { marked } = this.decisions;
    const { at } = this.viewer;
    const isNext = (decision) => this.momentOfDecision(decision) >= at;
    const isLast = (decision) => this.momentOfDecision(decision) <= at;
    const from = marked.indexOf(this.chosen);
    const decision = from >= 0 ? marked[from + by] : by > 0 ? marked.find(isNext) : marked.findLast(isLast);
    if (decision) this.choose(decision);
  }

  // -- inside

  build() {
    this.said = el("div.rr-hidden", { "aria-live": "polite" });
    this.box = el("div.rr-chosen");
    this.leave();
    const step = (by, text, key) => el("button", { type: "button", "aria-keyshortcuts": key, onclick: () => this.step(by), text });
    const steps = el("div.rr-steps-of", { role: "group", "aria-label": "Move between marks" },
      step(-1, "‹ mark", "Shift+N"), step(1, "mark ›", "N"));
    steps.hidden = !this.decisions.marked.length;
    const head = el("div.rr-review-head", {}, el("h2", { text: "Look back" }), steps);
    this.root = el("section.rr-review", { id: "review", "aria-label": "Look back on the race" }, head,
      el("h3", { text: "Win probability before each round" }), this.curve.root, this.table(), this.box,
      el("h3", { text: "Programs and purchases" }), this.decisions.root,
      el("h3", { text: "What changed the win probability" }), this.summary(), meaning(), this.said);
    const panels = document.getElementById("panels");
    const side = el("div.rr-side");
    panels.replaceWith(side);
    side.append(this.root, panels);
  }

  leave() {
    this.chosen = null;
    clearGhosts(this.viewer.board);
    const { marked } = this.decisions;
    const text = marked.length ? "Select a mark on the curve or a row of the list: the board shows what the robot did and what would have been better."
      : "Select a row of the list: the board shows what the robot did and what would have been better.";
    this.box.replaceChildren(el("p.rr-hint", { text }));
  }

  /** The moment at which a round (from 0) begins; the end after the last. */
  momentOf(round) {
    const found = this.race.rounds.find((each) => each.round === round + 1);
    return found ? found.first + 1 : this.race.count;
  }

  /** The moment before the first register, or that of the purchase. */
  momentOfDecision({ round, seat, kind }) {
    const start = this.momentOf(round - 1);
    const isOver = (moment) => moment.kind === "register" || moment.kind === "end";
    let end = start;
    while (end < this.race.count && !isOver(this.race.moment(end))) end += 1;
    if (kind === "program") return end;
    for (let at = start; at <= end; at += 1) {
      if (this.race.moment(at - 1).text.some((text) => text.startsWith(`{${seat}} buys`))) return at;
    }
    return start;
  }

  ghostsKey(decision) {
    const lines = [el("span.rr-key-made", { text: "its path" })];
    if (decision.ghosts.obvious) lines.push(el("span.rr-key-obvious", { text: "the obvious path, given the other robots' programs" }));
    if (decision.ghosts.better) lines.push(el("span.rr-key-better", { text: "the better path, given the other robots' programs" }));
    const { calm, root } = this.viewer.board;
    const show = () => root.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
    const button = el("button.rr-to-board", { type: "button", text: "Show on the board", onclick: show });
    return el("p.rr-ghosts-key", {}, el("span", { text: "On the board:" }), ...lines, button);
  }

  /** The chances as a table, for who does not see the curve. */
  table() {
    const heads = ["Round", ...this.header.robots.map((robot) => nameOf(robot.number, this.header))];
    const rows = this.data.chances.map((row, i) => el("tr", {},
      el("th", { scope: "row", text: i < this.data.chances.length - 1 ? String(i + 1) : "end" }),
      ...row.map((chance) => el("td", { text: percent(chance) }))));
    const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))), el("tbody", {}, ...rows));
    return el("details.rr-chances", {}, el("summary", { text: "As a table" }), scrolling("Win probabilities", table));
  }

  /** Why each robot won or lost: start + cards + others + own choices = end. */
  summary() {
    const head = HEADS.map(([text, title]) => el("th", { scope: "col", title, text: text === "own" ? "own choices" : text }));
    const rows = this.data.robots.map((robot) => {
      const gains = ["cards", "others", "own"].map((name) => gain(robot[name]));
      return el("tr", {}, el("th", { scope: "row" }, robotNode(robot.seat, this.header)),
        el("td", { text: percent(robot.first) }), ...gains, el("td", { text: percent(robot.last) }),
        el("td", { text: String(robot.blunders) }), el("td", { text: String(robot.brilliant) }));
    });
    const table = el("table.rr-summary", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "robot" }), ...head)), el("tbody", {}, ...rows));
    return scrolling("What changed the win probability", table);
  }
}

/** What the columns of the summary mean, with what surprises in them. */
const meaning = () => {
  const lines = [
    ["start", "Everybody counts as equally good: the number depends only on where the robots stand. So even a bot that plays at random begins with about an equal share, such as 27% of four."],
    ["cards", "−52% means: better hands would have raised its chances by 52 points more, over the whole race. It had no choice in this."],
    ["own choices", "What its programs and purchases gave away against the best ones the search found; 0 is perfect."],
    ["others", "+81% means: the other robots' mistakes, and luck on the board, raised its chances by 81 points. When one robot blunders, the others gain."],
  ];
  return el("details.rr-meaning", {}, el("summary", { text: "What do these numbers mean?" }),
    el("dl", {}, ...lines.flatMap(([term, text]) => [el("dt", { text: term }), el("dd", { text })])));
};

const gain = (value) => {
  const rounded = Math.round(100 * value);
  return el("td", { class: rounded > 0 ? "rr-gain" : rounded < 0 ? "rr-loss" : "", text: points(value) });
};

const scrolling = (label, node) => el("div.rr-scrolling", { role: "region", "aria-label": label, tabindex: "0" }, node);
