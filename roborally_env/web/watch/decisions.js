import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { nameOf, robotNode } from "../shared/names.js";
import { percent, points } from "./curve.js";

const SIGNS = { blunder: "??", brilliant: "!!" };
const WORDS = { blunder: "blunder", brilliant: "brilliant", "": "" };
const NOTHING = { program: "nothing better found", buy_upgrade: "the best card on sale" };

/** The printed name of what was bought. */
const boughtName = (name, header) => (name === "no" ? "nothing" : header.upgrades?.[name]?.title ?? name.replaceAll("_", " "));

/** The loss of a decision, or its gain over the obvious one. */
const worth = (decision) => (decision.mark === "brilliant" ? decision.chance - decision.obvious : -decision.loss);

/** A decision in a sentence, for readers who do not see its mark. */
export const decisionText = (decision, header) => {
  const what = decision.kind === "program" ? "program" : "purchase";
  const mark = WORDS[decision.mark] && `, ${WORDS[decision.mark]}`;
  return `Round ${decision.round}, ${nameOf(decision.seat, header)}: ${what}${mark}, ${points(worth(decision))}`;
};

export const signOf = ({ mark }) => SIGNS[mark] ?? "";

/** The list of programs and purchases, one stop of the tab key: up and down go from line to line. */
export class Decisions {
  /**
   * @param {Object} header
   * @param {Object[]} decisions in order
   * @param {function(Object)} choose
   */
  constructor(header, decisions, choose) {
    this.rows = decisions.map((decision) => ({ decision, node: row(decision, header, () => choose(decision)) }));
    this.marked = decisions.filter((decision) => decision.mark);
    this.list = el("ol.rr-decisions", { "aria-label": "Programs and purchases" });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.filters = [["marked", "Marked", this.marked], ["all", "All", decisions]].map(([name, text, which]) =>
      el("button", { type: "button", "data-shows": name, text: `${text} (${which.length})`, onclick: () => this.show(name) }));
    const filters = el("div.rr-filters", { role: "group", "aria-label": "Filter decisions" }, ...this.filters);
    const meant = el("p.rr-marks-meant", {}, el("b", { text: "??" }), " blunder: cost at least 8% win probability. ",
      el("b", { text: "!!" }), " brilliant: at least 15% better than the obvious program, and nothing better was found.");
    this.root = el("div", {}, filters, meant, this.list);
    this.show(this.marked.length ? "marked" : "all");
  }

  show(which) {
    this.shows = which;
    this.filters.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.shows === which)));
    const rows = this.rows.filter(({ decision }) => which === "all" || decision.mark);
    this.list.replaceChildren(...rows.map(({ node }) => node));
    if (!rows.length) this.list.append(el("li.rr-none", { text: "No blunders or brilliant programs." }));
    this.mark();
  }

  /** Light the decisions of a round, and the one that is chosen. */
  to(round, chosen) {
    if (round === this.round && chosen === this.chosen) return;
    Object.assign(this, { round, chosen });
    if (chosen && !chosen.mark && this.shows === "marked") this.show("all");
    this.mark();
    const lit = chosen ? this.rows.find(({ decision }) => decision === chosen) : this.rows.find(({ decision, node }) => decision.round === round && node.isConnected);
    if (lit) this.bringIn(lit.node);
  }

  // -- inside

  mark() {
    for (const { decision, node } of this.rows) {
      node.classList.toggle("rr-now", decision.round === this.round);
      const button = node.firstElementChild;
      if (decision === this.chosen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.tabIndex = -1;
    }
    const buttons = [...this.list.querySelectorAll("button")];
    const stop = buttons.find((button) => button.hasAttribute("aria-current"))
      ?? buttons.find((button) => button.parentElement.classList.contains("rr-now")) ?? buttons[0];
    if (stop) stop.tabIndex = 0;
  }

  bringIn(node) {
    const box = this.list.getBoundingClientRect();
    const { top, bottom } = node.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) this.list.scrollTop += top - box.top - box.height / 3;
  }

  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    const buttons = [...this.list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }
}

const row = (decision, header, act) => {
  const sign = el("b", { class: `rr-sign rr-${decision.mark}`, "aria-hidden": "true", text: signOf(decision) });
  const what = decision.kind === "program" ? "program" : "purchase";
  const lost = el("b.rr-worth", { text: decision.mark || decision.loss > 0 ? points(worth(decision)) : "" });
  const where = el("span.rr-round-of", { text: `Round ${decision.round}` });
  const button = el("button", { type: "button", "aria-label": decisionText(decision, header), onclick: act },
    sign, where, robotNode(decision.seat, header), el("span.rr-what", { text: what }), lost);
  return el("li.rr-decision", {}, button);
};

/** The details of a decision: the choice made, the better one, the worth of each and where it would have led. */
export const decisionNode = (decision, header, before) => {
  const name = robotNode(decision.seat, header);
  const head = el("h3", {}, `Round ${decision.round} `, name, " ");
  if (decision.mark) head.append(el("span", { class: `rr-verdict rr-${decision.mark}`, text: `${signOf(decision)} ${WORDS[decision.mark]}` }));
  const isProgram = decision.kind === "program";
  const choices = [[isProgram ? "Played" : "Bought", decision.made, decision.chance, decision.ghosts.made, "made"]];
  if (decision.better.length) choices.push(["Better", decision.better, decision.best, decision.ghosts.better, "better"]);
  if (decision.ghosts.obvious) choices.push(["Obvious", decision.plain, decision.obvious, decision.ghosts.obvious, "obvious"]);
  const parts = choices.map(([word, cards, chance, ghost, kind]) => el("div.rr-choice", {},
    el(`span.rr-choice-name${isProgram ? `.rr-key-${kind}` : ""}`, { text: word }),
    isProgram ? el("div.rr-choice-cards", {}, ...cards.map((card) => cardNode(card === "none" ? null : card, header)))
      : el("div.rr-choice-cards", { text: boughtName(cards[0], header) }),
    el("b", { title: "win probability", text: percent(chance) }),
    ...(ghost ? [el("span.rr-led", { text: ledTo(ghost, decision.seat, before, header) })] : [])));
  return el("div.rr-chosen-one", {}, head, ...parts, el("p", { text: inWords(decision) }));
};

const inWords = (decision) => {
  const words = [];
  if (decision.loss > 0) {
    const error = decision.error > 0 ? ` (± ${(100 * decision.error).toFixed(decision.error < 0.01 ? 1 : 0)})` : "";
    words.push(`${(100 * decision.loss).toFixed(decision.loss < 0.01 ? 1 : 0)}% win probability lost${error}.`);
  } else words.push(`${NOTHING[decision.kind].replace(/^./, (letter) => letter.toUpperCase())}.`);
  if (decision.mark === "brilliant") words.push("The obvious program is the best one for a robot alone on the course.");
  const luck = Math.round(100 * decision.cards);
  if (decision.kind === "program" && luck) words.push(`The hand is worth ${Math.abs(luck)}% ${luck > 0 ? "more" : "less"} than an average hand.`);
  return words.join(" ");
};

/** Where a program leads in this round, with the programs of the others. */
const ledTo = ({ path, reached, won }, seat, before, header) => {
  const falls = path.filter((place) => place.length === 1).length;
  const outcomes = [];
  if (won) outcomes.push("wins the race");
  else if (reached > before.robots[seat].checkpoint) outcomes.push(`reaches ${header.checkpoint_word} ${reached}`);
  if (falls) outcomes.push(falls > 1 ? `leaves the board ${falls} times` : "leaves the board");
  return outcomes.join(", ");
};
