// A hint on the desk: the program that a search would choose, and why.

import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { titleOf } from "./words.js";

/** The cards of a hint, and its reason. */
export function hintWords(hint, question, header) {
  const cards = question.registers.map((register, k) => {
    const slot = hint.slots[k];
    const name = slot === null ? register.card : question.hand[slot];
    const label = `register ${k + 1}: ${name ? titleOf(name, header) : "no card"}`;
    return el("li", { "aria-label": label }, cardNode(name, header, { small: true }));
  });
  const down = hint.power_down ? " Also announce a power down." : "";
  return [el("ol", { class: "advice-cards", "aria-label": "Suggested program" }, ...cards), el("p", { text: hint.why + down })];
}
