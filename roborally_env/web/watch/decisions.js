import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { nameOf, robotNode } from "../shared/names.js";
import { percent, points } from "./curve.js";

const SIGNS = { blunder: "??", brilliant: "!!" };
const WORDS = { blunder: "blunder", brilliant: "brilliant", "": "" };
const NOTHING = { program: "nothing better found", buy_upgrade: "the best card on sale" };

/** The printed name of what was bought. */
const boughtName = (name, header) => (name === "no" ? "nothing" : header.upgrades?.[name]?.title ?? name.replaceAll("_", " "));

/** What a decision lost, or gained over the obvious, in a few words. */
const worth = (told) => (told.mark === "brilliant" ? told.chance - told.obvious : -told.loss);

/** A decision in a sentence, for who does not see its mark. */
export const decisionText = (told, header) => {
  const what = told.kind === "program" ? "program" : "purchase";
  const mark = WORDS[told.mark] && `, ${WORDS[told.mark]}`;
  return `Round ${told.round}, ${nameOf(told.seat, header)}: ${what}${mark}, ${points(worth(told))}`;
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
    this.rows = decisions.map((told) => ({ told, node: row(told, header, () => choose(told)) }));
    this.marked = decisions.filter((told) => told.mark);
    this.list = el("ol.rr-decisions", { "aria-label": "Programs and purchases" });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.filters = [["marked", "Marked", this.marked], ["all", "All", decisions]].map(([name, text, which]) =>
      el("button", { type: "button", "data-shows": name, text: `${text} (${which.length})`, onclick: () => this.show(name) }));
    const filters = el("div.rr-filters", { role: "group", "aria-label": "Filter decisions" }, ...this.filters);
    const meant = el("p.rr-marks-meant", {}, el("b", { text: "??" }), " blunder: cost at least 8 % win probability. ",
      el("b", { text: "!!" }), " brilliant: at least 15 % better than the obvious program, and nothing better was found.");
    this.root = el("div", {}, filters, meant, this.list);
    this.show(this.marked.length ? "marked" : "all");
  }

  show(which) {
    this.shows = which;
    this.filters.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.shows === which)));
    const rows = this.rows.filter(({ told }) => which === "all" || told.mark);
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
    const lit = chosen ? this.rows.find(({ told }) => told === chosen) : this.rows.find(({ told, node }) => told.round === round && node.isConnected);
    if (lit) this.bringIn(lit.node);
  }

  // -- inside

  mark() {
    for (const { told, node } of this.rows) {
      node.classList.toggle("rr-now", told.round === this.round);
      const button = node.firstElementChild;
      if (told === this.chosen) button.setAttribute("aria-current", "true");
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

const row = (told, header, act) => {
  const sign = el("b", { class: `rr-sign rr-${told.mark}`, "aria-hidden": "true", text: signOf(told) });
  const what = told.kind === "program" ? "program" : "purchase";
  const lost = el("b.rr-worth", { text: told.mark || told.loss > 0 ? points(worth(told)) : "" });
  const where = el("span.rr-round-of", { text: `Round ${told.round}` });
  const button = el("button", { type: "button", "aria-label": decisionText(told, header), onclick: act },
    sign, where, robotNode(told.seat, header), el("span.rr-what", { text: what }), lost);
  return el("li.rr-decision", {}, button);
};

/** All about one decision: what was done, what is better, what either is worth, where it would have led. */
export const decisionNode = (told, header, before) => {
  const name = robotNode(told.seat, header);
  const head = el("h3", {}, `Round ${told.round} `, name, " ");
  if (told.mark) head.append(el("span", { class: `rr-verdict rr-${told.mark}`, text: `${signOf(told)} ${WORDS[told.mark]}` }));
  const isProgram = told.kind === "program";
  const choices = [[isProgram ? "Played" : "Bought", told.made, told.chance, told.ghosts.made, "made"]];
  if (told.better.length) choices.push(["Better", told.better, told.best, told.ghosts.better, "better"]);
  if (told.ghosts.obvious) choices.push(["Obvious", told.plain, told.obvious, told.ghosts.obvious, "obvious"]);
  const parts = choices.map(([word, cards, chance, ghost, kind]) => el("div.rr-choice", {},
    el(`span.rr-choice-name${isProgram ? `.rr-key-${kind}` : ""}`, { text: word }),
    isProgram ? el("div.rr-choice-cards", {}, ...cards.map((card) => cardNode(card === "none" ? null : card, header)))
      : el("div.rr-choice-cards", { text: boughtName(cards[0], header) }),
    el("b", { title: "win probability", text: percent(chance) }),
    ...(ghost ? [el("span.rr-led", { text: ledTo(ghost, told.seat, before, header) })] : [])));
  return el("div.rr-chosen-one", {}, head, ...parts, el("p", { text: inWords(told) }));
};

const inWords = (told) => {
  const words = [];
  if (told.loss > 0) {
    const error = told.error > 0 ? ` (± ${(100 * told.error).toFixed(told.error < 0.01 ? 1 : 0)})` : "";
    words.push(`${(100 * told.loss).toFixed(told.loss < 0.01 ? 1 : 0)} % win probability lost${error}.`);
  } else words.push(`${NOTHING[told.kind].replace(/^./, (letter) => letter.toUpperCase())}.`);
  if (told.mark === "brilliant") words.push("The obvious program is the best one for a robot alone on the course.");
  const luck = Math.round(100 * told.cards);
  if (told.kind === "program" && luck) words.push(`The hand is worth ${Math.abs(luck)} % ${luck > 0 ? "more" : "less"} than an average hand.`);
  return words.join(" ");
};

/** Where a program leads in this round, with the programs of the others. */
const ledTo = ({ path, reached, won }, seat, before, header) => {
  const falls = path.filter((place) => place.length === 1).length;
  const told = [];
  if (won) told.push("wins the race");
  else if (reached > before.robots[seat].checkpoint) told.push(`reaches ${header.checkpoint_word} ${reached}`);
  if (falls) told.push(falls > 1 ? `leaves the board ${falls} times` : "leaves the board");
  return told.join(", ");
};
