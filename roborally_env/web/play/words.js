// Words and numbers that several parts of the page show.

import { el } from "../shared/elements.js";

/** The title of a card, an upgrade or an option by its name. */
export function titleOf(name, header) {
  const plain = name.split(":")[0];
  const kinds = [header.cards, header.upgrades, header.options];
  const known = kinds.map((kind) => kind && kind[plain]).find(Boolean);
  return known ? known.title : plain.replaceAll("_", " ");
}

/** The rule of a card in words, or the empty text. */
export function ruleOf(name, header) {
  const known = header.cards && header.cards[name.split(":")[0]];
  return (known && known.rule) || "";
}

const SPOKEN_OF = /^(spam|worm|virus|trojan_horse|.*_routine|spam_folder)$/; // cards that the words of other things name

/** The rules of the cards that a text speaks of, as pairs of a title and a rule, but for those in the text itself. */
export function mentioned(text, header, besides = "") {
  return Object.entries(header.cards)
    .filter(([name, { title }]) => SPOKEN_OF.test(name) && name !== besides && new RegExp(`\\b${title}\\b`).test(text))
    .filter(([, { rule }]) => rule && !text.includes(rule))
    .map(([, { title, rule }]) => [title, rule]);
}

/** The number in the corner of register `k` (from 0), with its words. */
export function registerNumber(k) {
  const meant = `Register ${k + 1}: your robot plays this card in register ${k + 1} of the round, together with the other robots' cards.`;
  return el("span", { class: "register-number", text: String(k + 1), title: meant });
}
