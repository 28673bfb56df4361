"use strict";

(() => {
  const { el } = Robo;
  const REGISTERS = [0, 1, 2, 3, 4];
  const PLACES = ["1st", "2nd", "3rd"];
  const DAMAGE_WORDS = { spam: "SPAM", worm: "Worm", virus: "Virus", trojan_horse: "Trojan Horse" };

  /** A panel for each robot: where it stands in the race, its registers, hand and everything it owns. */
  Robo.Panels = class {
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
  };

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
      this.root.setAttribute("aria-label", Robo.sentence(`{${robot.number}}`, header));
      this.root.style.setProperty("--rr-robot", robot.color);
    }

    /** The robot's picture: a button that follows it, or nobody any more; a click beside it on the panel does the same. */
    followButton() {
      const { number, svg } = this.robot;
      const button = el("button.rr-follow", { type: "button", "aria-pressed": "false" }, Robo.icon(svg, 106));
      const label = `Follow ${Robo.nameOf(number, this.header)}`;
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
      Robo.follow(Robo.followed === this.robot.number ? null : this.robot.number);
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
      this.badge.textContent = this.hasWon(state) ? "winner" : badge(robot);
      this.root.classList.toggle("rr-off", !robot.at);
      this.fill("progress", progress(robot, this.header));
      this.fill("stats", stats(robot));
      this.fill("registers", [this.registers(robot, state)]);
      this.fill("own", own(robot, this.header));
      this.fill("hand", hand(robot, this.header));
    }

    /** Whether this robot or its team has won. */
    hasWon({ winner }) {
      const { number, team } = this.robot;
      return winner === number || (winner != null && team != null && this.header.robots[winner].team === team);
    }

    fill(name, nodes) {
      this.parts[name].replaceChildren(...nodes);
      this.parts[name].hidden = nodes.length === 0 && name !== "hand"; // hands come and go: their place stays
    }

    registers(robot, state) {
      const list = el("ol.rr-register-list", { "aria-label": "registers" });
      for (const k of REGISTERS) {
        const slot = el("li.rr-register", { "data-register": k + 1 });
        const second = robot.laid_on?.[k];
        slot.append(Robo.card(robot.registers[k], this.header));
        if (second) slot.append(Robo.card(second, this.header, { small: true }));
        slot.classList.toggle("rr-lit", state.register === k + 1);
        if (state.register === k + 1) slot.setAttribute("aria-current", "step");
        if (robot.locked?.includes(k + 1)) {
          slot.classList.add("rr-locked");
          slot.append(Robo.hidden("locked"));
        }
        list.append(slot);
      }
      return list;
    }
  }

  /** What is special with a robot now, in a word or two. */
  const badge = (robot) => {
    if (robot.place) return `${PLACES[robot.place - 1] ?? `${robot.place}th`} place`;
    if (robot.lives === 0) return "out";
    if (robot.destroyed) return "destroyed";
    if (robot.virtual) return "virtual";
    if (robot.stomped) return "stomped";
    if (robot.rebooted) return "rebooted";
    if (robot.down) return "powered down";
    if (robot.announced) return "will power down";
    if (robot.controller != null) return `controlled by ${robot.controller}`;
    return robot.superbot ? "SuperBot" : "";
  };

  /** A dot for each checkpoint, those reached filled. */
  const progress = (robot, header) => {
    const { checkpoints: many, checkpoint_word: word } = header;
    const dots = Array.from({ length: many }, (_, i) => el("i", { class: i < robot.checkpoint ? "rr-done" : "" }));
    const text = `${word} ${robot.checkpoint} of ${many}`;
    return many ? [el("span.rr-dots", { role: "img", "aria-label": text, title: text }, ...dots)] : [];
  };

  const stat = (label, value, title = label, kind = "") =>
    el(`span.rr-stat${kind && `.rr-${kind}`}`, { title }, el("b", { text: String(value) }), ` ${label}`);

  /** Numbers: damage and lives where a robot has these, else energy and piles, with damage tokens or damage cards. */
  const stats = (robot) => {
    const reboots = robot.reboots ? [stat(robot.reboots === 1 ? "reboot" : "reboots", robot.reboots)] : [];
    if ("lives" in robot) {
      return [
        stat("damage", `${robot.damage}/10`, "damage tokens; the tenth destroys", robot.damage > 4 ? "bad" : ""),
        stat(robot.lives === 1 ? "life" : "lives", robot.lives, "life tokens"),
        ...(robot.archive ? [stat("archive", robot.archive.join(","), "where it comes back")] : []),
      ];
    }
    if ("damage" in robot) {
      const times = robot.reboots ? [stat("destroyed", `${robot.reboots}×`, "how often it was destroyed")] : [];
      return [
        stat("damage", `${robot.damage}/10`, "damage; the tenth destroys", robot.damage > 4 ? "bad" : ""),
        stat("energy", robot.energy, "energy cubes", "energy"),
        stat("deck", robot.deck, "cards to be drawn"),
        stat("discard", robot.discard, "cards in the discard pile"),
        ...times,
      ];
    }
    const damage = Object.entries(robot.damage_cards).filter(([, count]) => count);
    return [
      stat("energy", robot.energy, "energy cubes", "energy"),
      stat("deck", robot.deck, "cards to be drawn"),
      stat("discard", robot.discard, "cards in the discard pile"),
      ...damage.map(([kind, count]) => stat(DAMAGE_WORDS[kind], count, "damage cards owned, wherever they lie", "bad")),
      ...reboots,
    ];
  };

  /** Upgrades or options by printed name. */
  const own = (robot, header) => {
    const named = [
      ...(robot.upgrades ?? []).map((name) => [name, header.upgrades[name]]),
      ...(robot.options ?? []).map((name) => [name, header.options[name]]),
    ];
    const installed = named.map(([name, { title, rule, type }]) => {
      const tokens = robot.tokens?.[name] ? ` ${robot.tokens[name]}×` : "";
      const chip = el(`span.rr-chip${type === "temporary" ? ".rr-temporary" : ""}`, { title: rule, text: title + tokens });
      const kept = robot.kept?.[name];
      if (kept) chip.append(Robo.card(kept, header, { small: true }));
      return chip;
    });
    return [...installed, ...collection(robot, header)];
  };

  /** Upgrades that are drawn and not installed; of a hidden collection their number. */
  const collection = (robot, header) => {
    const cards = robot.collection;
    const count = typeof cards === "number" ? cards : cards?.length;
    if (!count) return [];
    const label = el("span.rr-label", { text: "collection", title: "upgrades drawn, not installed" });
    if (typeof cards === "number") return [label, stat(count === 1 ? "upgrade" : "upgrades", count, "hidden upgrades")];
    return [label, ...cards.map((name) => upgradeChip(header.upgrades[name], true))];
  };

  const upgradeChip = ({ title, rule, cost, type }, withCost) => {
    const chip = el(`span.rr-chip${type === "temporary" ? ".rr-temporary" : ""}`, { title: rule }, title);
    if (withCost) chip.append(el("b", { text: cost, title: "energy cubes" }));
    return chip;
  };

  /** The upgrades for sale, in 2023 those discarded, or nothing in a game without. */
  Robo.shop = (state, header) => {
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

  /** The cards of a hand, small; of a hidden hand their number. */
  const hand = (robot, header) => {
    const count = typeof robot.hand === "number" ? robot.hand : robot.hand.length;
    if (!count) return [];
    const label = el("span.rr-label", { text: "hand" });
    if (typeof robot.hand === "number") return [label, stat("cards", count, "hidden cards in the hand")];
    return [label, ...robot.hand.map((name) => Robo.card(name, header, { small: true }))];
  };
})();
