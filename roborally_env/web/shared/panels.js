import { cardNode } from "./cards.js";
import { el, hidden, icon } from "./elements.js";
import { follow, followed } from "./follow.js";
import { nameOf, sentence } from "./names.js";

const REGISTERS = [0, 1, 2, 3, 4];
const PLACES = ["1st", "2nd", "3rd"];
const DAMAGE = "each damage token leaves one card fewer to choose from; from the fifth on it also locks a register; the tenth destroys the robot";

/** A panel for each robot: where it stands in the race, its registers, hand and everything it owns. */
export class Panels {
  constructor(container, header) {
    this.header = header;
    this.panels = header.robots.map((robot) => new Panel(robot, header));
    container.append(...this.panels.map((panel) => panel.root));
  }

  /** Show a state. Only what has changed is built again. */
  show(state) {
    const before = this.state;
    this.state = state;
    this.panels.forEach((panel, n) => panel.show(state.robots[n], state, before));
  }
}

/** The panel of one robot. */
class Panel {
  constructor(robot, header) {
    this.robot = robot;
    this.header = header;
    this.parts = {};
    for (const name of ["progress", "stats", "registers", "hand", "own"]) this.parts[name] = el(`div.rr-part.rr-${name}`);
    this.badge = el("span.rr-badge");
    const who = el("div.rr-who", {}, el("strong", { text: robot.agent }), el("span", { text: this.under() }));
    const follow = this.followButton();
    const head = el("header", {}, follow, who, el("div.rr-state", {}, this.parts.progress, this.badge));
    this.root = el("section.rr-robot-panel", { "data-robot": robot.number }, head, ...this.rest());
    this.root.classList.add("rr-robot");
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.setAttribute("aria-label", sentence(`{${robot.number}}`, header));
    this.root.style.setProperty("--rr-robot", robot.color);
  }

  /** The robot's picture: a button that follows it, or nobody any more; a click beside it on the panel does the same. */
  followButton() {
    const { number, svg } = this.robot;
    const button = el("button.rr-follow", { type: "button", "aria-pressed": "false" }, icon(svg, 106));
    const label = `Follow ${nameOf(number, this.header)}`;
    button.setAttribute("aria-label", label);
    button.title = `${label} (F)`;
    document.addEventListener("rr-follow", ({ detail }) => {
      this.root.classList.toggle("rr-followed", detail === number);
      button.setAttribute("aria-pressed", String(detail === number));
    });
    return button;
  }

  /** A click on the panel, unless it chooses text or is for something on it. */
  click(event) {
    const isOther = event.target.closest("button, a, summary, input") && !event.target.closest(".rr-follow");
    if (isOther || !getSelection().isCollapsed) return;
    follow(followed() === this.robot.number ? null : this.robot.number);
  }

  rest() {
    const { stats, registers, hand, own } = this.parts;
    return [registers, stats, own, hand];
  }

  under() {
    const { number, name, role, team } = this.robot;
    const words = [`robot ${number}`, name, role, team == null || role ? "" : `team ${team + 1}`];
    return words.filter(Boolean).join(" · ");
  }

  show(robot, state, before) {
    const old = before?.robots[this.robot.number];
    const same = old === robot && before.register === state.register && before.turn === state.turn;
    this.root.classList.toggle("rr-turn", state.turn === this.robot.number);
    this.root.classList.toggle("rr-winner", this.hasWon(state));
    if (same && before.winner === state.winner && before.claims === state.claims) return;
    const [word, meant] = this.hasWon(state) ? ["winner", "It has won the race."] : badge(robot) ?? ["", ""];
    this.badge.textContent = word;
    if (meant) this.badge.title = meant;
    else ["title", "data-about"].forEach((name) => this.badge.removeAttribute(name)); // a page may keep it as its own words
    this.root.classList.toggle("rr-off", !robot.at);
    this.root.classList.toggle("rr-unknown", robot.registers.every((card) => card == null || card === "?"));
    this.fill("progress", progress(robot, this.header));
    this.fill("stats", stats(robot, this.header));
    this.fill("registers", [this.registers(robot, state)]);
    this.fill("own", own(robot, this.header));
    this.hidesHand = typeof robot.hand === "number";
    this.fill("hand", hand(robot, this.header));
  }

  /** Whether this robot or its team has won. */
  hasWon({ winner }) {
    const { number, team } = this.robot;
    return winner === number || (winner != null && team != null && this.header.robots[winner].team === team);
  }

  fill(name, nodes) {
    this.parts[name].replaceChildren(...nodes);
    this.parts[name].hidden = nodes.length === 0 && (name !== "hand" || this.hidesHand); // hands come and go: their place stays
  }

  registers(robot, state) {
    const list = el("ol.rr-register-list", { "aria-label": "registers" });
    for (const k of REGISTERS) {
      const slot = el("li.rr-register", { "data-register": k + 1, title: lying(robot, k) });
      const second = robot.laid_on?.[k];
      slot.append(cardNode(robot.registers[k], this.header));
      if (second) slot.append(cardNode(second, this.header, { small: true }));
      slot.classList.toggle("rr-lit", state.register === k + 1);
      if (state.register === k + 1) slot.setAttribute("aria-current", "step");
      if (robot.locked?.includes(k + 1)) {
        slot.classList.add("rr-locked");
        slot.append(hidden("locked"));
      }
      list.append(slot);
    }
    return list;
  }
}

/** What is special with a robot now: a word or two, and what that means; nothing, if nothing is. */
const badge = (robot) => {
  const turn = "lives" in robot ? "turn" : "round";
  if (robot.place) return [`${PLACES[robot.place - 1] ?? `${robot.place}th`} place`, "It has reached the goal; the others race on for the remaining places."];
  if (robot.lives === 0) return ["out", "It has lost its last life and is out of the race."];
  if (robot.destroyed) return ["destroyed", destroyed(robot)];
  if (robot.virtual) return ["virtual", "It came back on another robot's space. Until they are on different spaces, it cannot push or shoot, or be pushed or shot."];
  if (robot.stomped) return ["stomped", "A stomper has hit it: it acts last in the next register."];
  if (robot.rebooted) return ["rebooted", "It fell or was hit by a Worm: it took two SPAM cards, went to a reboot token, and lost the rest of its program."];
  if (robot.down) return ["powered down", `It does nothing this ${turn}: it has no program, and its damage is repaired.`];
  if (robot.announced) return ["will power down", `Next ${turn} it does nothing, and all its damage is repaired.`];
  if (robot.controller != null) return [`controlled by ${robot.controller}`, `Radio Control: this turn it plays the program of robot ${robot.controller}.`];
  return robot.superbot ? ["SuperBot", "It is repaired each turn and its lasers do double damage; only the SuperBot can touch flags."] : null;
};

const destroyed = (robot) => ("lives" in robot
  ? "It is off the board until the end of the turn. It has lost a life, and returns at its archive marker with two damage."
  : "It is off the board until the end of the round; then it returns with two damage.");

/** What lies in a register, where that is no card with words of its own. */
const lying = (robot, k) => {
  const card = robot.registers[k];
  const isLocked = robot.locked?.includes(k + 1) ? " It is locked by damage: its card stays there each round." : "";
  if (card === "?") return `register ${k + 1}: its card is face down until the register is played.${isLocked}`;
  return card == null ? `register ${k + 1}: no card here.${isLocked}` : isLocked && `register ${k + 1}.${isLocked}`;
};

/** A dot for each checkpoint, those reached filled. */
const progress = (robot, header) => {
  const { checkpoints: many, checkpoint_word: word } = header;
  const dots = Array.from({ length: many }, (_, i) => el("i", { class: i < robot.checkpoint ? "rr-done" : "" }));
  const text = `${robot.checkpoint} of ${many} ${word}s reached in order; the first robot to reach all of them wins`;
  return many ? [el("span.rr-dots", { role: "img", "aria-label": text, title: text }, ...dots)] : [];
};

const stat = (label, value, title = label, kind = "") =>
  el(`span.rr-stat${kind && `.rr-${kind}`}`, { title }, el("b", { text: String(value) }), ` ${label}`);

/** Numbers: damage and lives where a robot has these, else energy and piles, with damage tokens or damage cards; and
 *  the cards in a hand that is hidden. */
const stats = (robot, header) => {
  const hidden = typeof robot.hand === "number" ? [stat("in hand", robot.hand, "cards in its hand, hidden from you")] : [];
  if ("lives" in robot) {
    return [
      stat("damage", `${robot.damage}/10`, DAMAGE, robot.damage > 4 ? "bad" : ""),
      stat(robot.lives === 1 ? "life" : "lives", robot.lives, "life tokens: it loses one each time it is destroyed, and is out of the race when it has none"),
      ...(robot.archive ? [stat("archive", robot.archive.join(","), "the space of its archive marker, where it returns after it is destroyed")] : []),
      ...hidden,
    ];
  }
  const piles = [
    stat("energy", robot.energy, "energy cubes: they buy upgrades", "energy"),
    stat("deck", robot.deck, "cards left to draw"),
    stat("discard", robot.discard, "cards in the discard pile: they form a new deck when the deck is empty"),
    ...hidden,
  ];
  if ("damage" in robot) {
    const times = robot.reboots ? [stat("destroyed", `${robot.reboots}×`, "times destroyed")] : [];
    return [stat("damage", `${robot.damage}/10`, DAMAGE, robot.damage > 4 ? "bad" : ""), ...piles, ...times];
  }
  const kinds = Object.entries(robot.damage_cards).filter(([, count]) => count);
  const damage = kinds.map(([kind, count]) => {
    const title = header.cards[kind]?.title ?? kind;
    return stat(title, count, `damage cards in its hand, deck, discard pile and registers. ${title}: ${header.cards[kind]?.rule ?? ""}`, "bad");
  });
  const reboots = robot.reboots ? [stat(robot.reboots === 1 ? "reboot" : "reboots", robot.reboots, "times it fell or was hit by a Worm, and went to a reboot token")] : [];
  return [...piles, ...damage, ...reboots];
};

/** Upgrades or options by printed name. */
const own = (robot, header) => {
  const named = [
    ...(robot.upgrades ?? []).map((name) => [name, header.upgrades[name]]),
    ...(robot.options ?? []).map((name) => [name, header.options[name]]),
  ];
  const installed = named.map(([name, { title, rule, type }]) => {
    const tokens = robot.tokens?.[name] ? ` ${robot.tokens[name]}×` : "";
    const chip = el(`span.rr-chip${type === "temporary" ? ".rr-temporary" : ""}`, { title: ruleOf(rule, type), text: title + tokens });
    const kept = robot.kept?.[name];
    if (kept) chip.append(cardNode(kept, header, { small: true }));
    return chip;
  });
  return [...installed, ...collection(robot, header)];
};

/** Upgrades that are drawn and not installed; of a hidden collection their number. */
const collection = (robot, header) => {
  const cards = robot.collection;
  const count = typeof cards === "number" ? cards : cards?.length;
  if (!count) return [];
  const label = el("span.rr-label", { text: "collection", title: "upgrades drawn but not installed" });
  if (typeof cards === "number") return [label, stat(count === 1 ? "upgrade" : "upgrades", count, "hidden upgrades")];
  return [label, ...cards.map((name) => upgradeChip(header.upgrades[name], true))];
};

const ruleOf = (rule, type) => (type === "temporary" ? `${rule} It can be used once; then it is gone.` : rule);

const upgradeChip = ({ title, rule, cost, type }, withCost) => {
  const chip = el(`span.rr-chip${type === "temporary" ? ".rr-temporary" : ""}`, { title: ruleOf(rule, type) }, title);
  if (withCost) chip.append(el("b", { text: cost, title: "cost in energy cubes" }));
  return chip;
};

/** The upgrades for sale, in 2023 those discarded, or nothing in a game without. */
export const shopNodes = (state, header) => {
  if (!header.upgrades) return [];
  if (state.upgrade_discard) {
    const deck = `Upgrade deck: ${state.upgrade_deck}. `;
    const text = state.upgrade_discard.length ? "Discarded" : "Nothing discarded";
    const chips = state.upgrade_discard.map((name) => upgradeChip(header.upgrades[name], false));
    return [el("span.rr-label", { text: deck + text }), ...chips];
  }
  const chips = (state.shop ?? []).map((name) => upgradeChip(header.upgrades[name], true));
  return [el("span.rr-label", { text: chips.length ? "For sale" : "Nothing for sale" }), ...chips];
};

/** The cards of a hand, small; how many a hidden one has is among the numbers. */
const hand = (robot, header) => {
  if (typeof robot.hand === "number" || !robot.hand.length) return [];
  return [el("span.rr-label", { text: "hand" }), ...robot.hand.map((name) => cardNode(name, header, { small: true }))];
};
