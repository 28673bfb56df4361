"use strict";

/**
 * What the pages that show a race share: the replay viewer and the play page.
 * @namespace
 */
const Robo = {};

(() => {
  const SVG = "http://www.w3.org/2000/svg";

  /**
   * An HTML element.
   * @param {string} tag with classes, as "span.rr-card"
   * @param {Object} [attributes] `text` sets the content, a function (`onclick`) a listener, true an empty attribute
   * @param {...(Node|string)} children
   */
  Robo.el = (tag, attributes = {}, ...children) => {
    const [name, ...classes] = tag.split(".");
    const node = document.createElement(name);
    if (classes.length) node.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "text") node.textContent = value;
      else if (typeof value === "function") node.addEventListener(key.slice(2), value);
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value != null) node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  };

  /** An SVG element. */
  Robo.svg = (tag, attributes = {}, ...children) => {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };

  const parsed = new Map();

  /** The children of a drawing given as text: a whole `<svg>`, or pieces of one. A fresh copy with each call. */
  Robo.drawing = (text) => {
    if (!parsed.has(text)) {
      const whole = text.startsWith("<svg") ? text : `<svg xmlns="${SVG}">${text}</svg>`;
      parsed.set(text, new DOMParser().parseFromString(whole, "image/svg+xml").documentElement);
    }
    return [...parsed.get(text).childNodes].map((node) => document.importNode(node, true));
  };

  /** A drawing of its own, `size` units wide, round its middle. */
  Robo.icon = (text, size, label = "") => {
    const attributes = { viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, class: "rr-icon", focusable: "false" };
    attributes[label ? "aria-label" : "aria-hidden"] = label || "true";
    return Robo.svg("svg", attributes, ...Robo.drawing(text));
  };

  /** What readers call a robot: "robot 2 (planner)". */
  Robo.nameOf = (number, header) => {
    const { agent } = header.robots[number];
    return agent === `robot_${number}` ? `robot ${number}` : `robot ${number} (${agent})`;
  };

  const DARK = 0.0086; // the luminance of the black
  const pieces = (text) => text.split(/\{(\d+)\}/);
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  /** A sentence with the names of the robots in it. */
  Robo.sentence = (text, header) => capital(
    pieces(text).map((piece, i) => (i % 2 ? Robo.nameOf(Number(piece), header) : piece)).join(""),
  );

  /** The same with the robots in their colours, as a DocumentFragment. */
  Robo.sentenceNode = (text, header) => {
    const fragment = document.createDocumentFragment();
    pieces(text).forEach((piece, i) => {
      if (i % 2 === 0) fragment.append(piece);
      else fragment.append(Robo.robotName(Number(piece), header));
    });
    return fragment;
  };

  /** The numbers of the robots in some sentences, each once. */
  Robo.robotsIn = (texts) => [...new Set(texts.flatMap((text) => pieces(text).filter((_, i) => i % 2).map(Number)))];

  /** A robot's name behind its colour and number. */
  Robo.robotName = (number, header) => {
    const { agent } = header.robots[number];
    const dot = Robo.el("span.rr-dot", { "aria-hidden": "true", text: String(number) });
    dot.style.setProperty("--rr-robot", header.robots[number].color);
    dot.style.color = Robo.inkOn(header.robots[number].color);
    const name = agent === `robot_${number}` ? `robot ${number}` : agent;
    return Robo.el("span.rr-name", { title: Robo.nameOf(number, header) }, dot, name);
  };

  /** The robot that is followed, or null: its panel, its lines of the log and the board show it. */
  Robo.followed = null;

  /** Follow a robot by its number, or nobody (null). Who shows it listens to `rr-follow`. */
  Robo.follow = (number) => {
    Robo.followed = number;
    document.dispatchEvent(new CustomEvent("rr-follow", { detail: number }));
  };

  /** Black or white, whichever has more contrast on a colour "#rrggbb" (WCAG 2, relative luminance). */
  Robo.inkOn = (color) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return (light + 0.05) ** 2 > 1.05 * (DARK + 0.05) ? "#15171a" : "#ffffff";
  };

  /** The state after a moment; the one before it stays as it was. */
  Robo.apply = (state, moment) => {
    const after = { ...state, ...moment.set };
    if (moment.robots) {
      after.robots = state.robots.map((robot, n) => (moment.robots[n] ? { ...robot, ...moment.robots[n] } : robot));
    }
    return after;
  };

  /** A race: its rounds, and the state at any moment. Moments are numbered over the whole race; 0 is the start. */
  Robo.Race = class {
    /** @param {Object} header as Python's `header_of` gives it */
    constructor(header) {
      this.header = header;
      this.rounds = [];
      this.moments = [];
    }

    /** Take up a round, or what a step has added to the last one. */
    add(chunk) {
      if (chunk.state) this.rounds.push({ round: chunk.round, first: this.moments.length, state: chunk.state });
      for (const moment of chunk.moments) {
        Object.assign(this.header.boards, moment.boards);
        this.moments.push(moment);
      }
    }

    get count() {
      return this.moments.length;
    }

    moment(i) {
      return this.moments[i];
    }

    /** The state after the first `k` moments: from the start of its round on. */
    stateAt(k) {
      const from = this.roundAt(k);
      let { state } = from;
      for (let i = from.first; i < k; i += 1) state = Robo.apply(state, this.moments[i]);
      return state;
    }

    /** The last round that had begun before moment `k` was over. */
    roundAt(k) {
      let low = 0;
      let high = this.rounds.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (this.rounds[middle].first < Math.max(1, k)) low = middle;
        else high = middle - 1;
      }
      return this.rounds[low];
    }

    /** The next (step 1) or last (step -1) place after a moment of one of these kinds; the end or start without any. */
    seek(k, step, kinds) {
      for (let at = k + step; at > 0 && at <= this.count; at += step) {
        if (kinds.includes(this.moments[at - 1].kind)) return at;
      }
      return step > 0 ? this.count : 0;
    }
  };
})();
