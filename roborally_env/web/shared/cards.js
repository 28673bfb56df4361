import { el, svg } from "./elements.js";

// icons on 24 x 24, drawn with a line; those of moves show the number of steps beside it
const AHEAD = "M8 20V5M2.5 10.5L8 5l5.5 5.5";
const ICONS = {
  move_1: [AHEAD],
  move_2: [AHEAD],
  move_3: [AHEAD],
  back_up: ["M12 4v14M6 13l6 6 6-6"],
  turn_left: ["M19 20v-7a4 4 0 0 0-4-4H6M10 4L5 9l5 5"],
  turn_right: ["M5 20v-7a4 4 0 0 1 4-4h9M14 4l5 5-5 5"],
  u_turn: ["M18 20V10a5 5 0 0 0-10 0v9M4 15l4 4.5 4-4.5"],
  power_up: ["M13 2L5 14h6l-1 8 8-12h-6z"],
  again: ["M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5"],
  spam: ["M3 6h18v12H3zM3 6l9 8 9-8"],
  worm: ["M3 15c2.5-6 5-6 6 0s4 6 6 0 3.5-6 6-1M20 10l1-2"],
  virus: ["M12 7a5 5 0 1 0 .1 0zM12 7V2M12 22v-5M7 12H2M22 12h-5M8.5 8.5L5 5M19 19l-3.5-3.5M15.5 8.5L19 5M5 19l3.5-3.5"],
  trojan_horse: ["M7 21v-6c-2 0-3-2-2-4 1-3 4-6 9-7l-1 3c3 1 5 4 5 7h-4v7M14 21v-5"],
  energy_routine: ["M13 2L5 14h6l-1 8 8-12h-6z"],
  weasel_routine: ["M5 20v-6a4 4 0 0 1 4-4h6a4 4 0 0 0 0-7M9 6L5 10l4 4"],
  spam_folder: ["M3 6h7l2 3h9v10H3zM9 14h6"],
  sandbox_routine: ["M4 20h16M6 20v-6h5v6M13 20V8h5v12"],
  speed_routine: ["M4 18l6-6-6-6M12 18l6-6-6-6"],
  repeat_routine: ["M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5M12 9v3l2 2"],
  heal_routine: ["M9 4h6v5h5v6h-5v5H9v-5H4V9h5z"],
};
const STEPS = { move_1: "1", move_2: "2", move_3: "3" };
const KINDS = [
  [/^(move|speed)/, "move"], [/^back/, "back"], [/^(turn|u_turn|weasel)/, "turn"], [/^(power|energy)/, "power"],
  [/^(again|repeat)/, "again"], [/^(spam|worm|virus|trojan)/, "damage"],
];

const kindOf = (name) => (KINDS.find(([pattern]) => pattern.test(name)) ?? [null, "other"])[1];

/** The printed name of a card, with its priority number if it has one. */
export const cardTitle = (name, header) => {
  const [kind, number] = name.split(":");
  const title = header.cards[kind]?.title ?? kind.replaceAll("_", " ");
  return number ? `${title}, ${number}` : title;
};

const iconOf = (kind) => {
  const icon = svg("svg", { viewBox: "0 0 24 24", class: "rr-glyph", "aria-hidden": "true", focusable: "false" });
  for (const d of ICONS[kind] ?? ["M5 12h14"]) icon.append(svg("path", { d }));
  if (STEPS[kind]) {
    const text = svg("text", { x: 18, y: 18.5, "text-anchor": "middle", class: "rr-steps" });
    text.textContent = STEPS[kind];
    icon.append(text);
  }
  return icon;
};

/**
 * A card: its icon and name.
 * @param {?string} name as in the state; "?" is face down, null an empty slot
 * @param {Object} header
 * @param {{small: boolean}} [options] small: the icon alone, the name as a tooltip
 */
export const cardNode = (name, header, { small = false } = {}) => {
  const size = small ? ".rr-small" : "";
  if (name == null) return el(`span.rr-card.rr-empty${size}`, { "aria-label": "empty", role: "img" });
  if (name === "?") return el(`span.rr-card.rr-back${size}`, { "aria-label": "face down", role: "img" });
  const [kind, number] = name.split(":");
  const title = cardTitle(name, header);
  const rule = header.cards[kind]?.rule;
  const card = el(`span.rr-card.rr-${kindOf(kind)}${size}`, { title: rule ? `${title}: ${rule}` : title }, iconOf(kind));
  card.dataset.card = name;
  if (small) card.append(el("span.rr-hidden", { text: title }));
  else card.append(el("span.rr-title", { text: header.cards[kind]?.title ?? title }));
  if (number) card.append(el("span.rr-pace", { text: number }));
  return card;
};
