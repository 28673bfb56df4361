import { runningBelts } from "./belts.js";
import { Camera } from "./camera.js";
import { CELL, middle } from "./cells.js";
import { celebrate, drawEffects, moveEffects } from "./effects.js";
import { drawing, svg } from "./elements.js";
import { follow, followed } from "./follow.js";
import { sentence } from "./names.js";
import { apply } from "./race.js";
import { sound } from "./sound.js";

const MARGIN = 50;
const STEP = [[0, -1], [1, 0], [0, 1], [-1, 0]];

// how long a moment of a kind takes at speed 1, in milliseconds
const DURATIONS = {
  round: 500, register: 420, hands: 350, program: 600, card: 380, move: 300, turn: 280, belt: 380, panel: 380,
  gear: 320, push: 300, laser: 650, robot_laser: 650, fall: 550, reboot: 350, placed: 420, checkpoint: 800, win: 900,
  energy: 420, end: 100, settle: 0, slide: 380, button: 450, trapdoor: 650, stomped: 450, radiation: 400,
};
const USUAL = 350;

const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
// where robots in virtual mode stand on a cell that they share, and how small
const CORNERS = [[28, -28], [-28, -28], [-28, 28], [28, 28], [0, 0]];
const SMALL = 0.42;

/** The board with everything on it: shows a state, and plays a moment as a movement from one state to the next. */
export class RoboBoard {
  /**
   * @param {Element} container gets the drawing
   * @param {Object} header of the timeline
   */
  constructor(container, header) {
    this.header = header;
    this.state = null;
    this.finish = null; // ends the movement that is under way
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.build(container);
    document.addEventListener("rr-follow", ({ detail }) => this.showFollowed(detail));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Light or dark, whatever the page is; "" for as the page is. */
  theme(name) {
    if (name) this.root.dataset.theme = name;
    else delete this.root.dataset.theme;
  }

  /** Show a state at once; with the moment that led to it also its beams and hits. */
  show(state, moment = null) {
    this.skip();
    this.state = state;
    this.root.classList.remove("rr-running");
    this.drawBoard(state.board);
    this.drawPlaces(state);
    this.drawRamps(state);
    this.drawModes(state);
    state.robots.forEach((_robot, n) => this.place(n, this.poseOf(n, state)));
    this.drawTurn(state.turn);
    if (!state.over) this.endParty();
    drawEffects(this, moment ?? {}, state, state);
    moveEffects(this, 0.5);
    this.follow(state, moment);
  }

  /** Bring a cell into view, where the board is larger than the room for it. */
  reveal(at) {
    this.camera.reveal(...middle(at), CELL * 1.5);
  }

  /** Keep in view the robot that is followed, else whose turn it is, or who moves; not what a hand has just moved. */
  follow({ turn, robots }, moment) {
    if (moment?.kind === "register" || moment?.kind === "round") this.camera.isHeld = false;
    if (this.camera.isHeld) return;
    const moved = Object.keys(moment?.robots ?? {}).find((robot) => moment.robots[robot].at);
    const at = robots[followed() ?? turn ?? moved]?.at;
    if (at) this.reveal(at);
  }

  /** Ring the robot that is followed, and bring it into view. */
  showFollowed(number) {
    this.camera.isHeld = false;
    this.robots.forEach(({ node }, n) => node.classList.toggle("rr-followed", n === number));
    if (this.state) this.follow(this.state, null);
  }

  /** The keys of the board, which every page with one has, unless it has taken them for something else. */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || event.target.closest?.("select, textarea, [type=text]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const last = this.header.robots.length - 1;
    const next = followed() === null ? 0 : followed() + 1;
    const back = followed() === null ? last : followed() - 1;
    const act = {
      f: () => follow(event.shiftKey ? (back < 0 ? null : back) : (next > last ? null : next)),
      m: () => sound.toggle(),
      ...this.camera.actions(),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** End the movement that is under way; what it leads to is shown. */
  skip() {
    this.finish?.();
  }

  /** Move from the state that is shown to the one after a moment. Resolves when that is done. */
  async play(moment, speed = 1) {
    if (this.finish) this.show(this.state); // the last movement has not ended: nobody stays on its way
    const before = this.state;
    const after = apply(before, moment);
    this.root.classList.toggle("rr-running", moment.kind === "belt"); // when the board does; always would cost too much
    sound.of(moment, speed);
    const lasts = this.calm.matches ? 0 : (DURATIONS[moment.kind] ?? USUAL) / speed;
    if (lasts > 20) {
      this.state = after;
      this.drawTurn(after.turn);
      this.drawRamps(after);
      this.follow(after, moment);
      const paths = after.robots.map((_robot, n) => this.pathOf(n, before, after, moment));
      const flags = this.flagPaths(before, after);
      drawEffects(this, moment, before, after);
      await this.tween(lasts, (t) => {
        paths.forEach((path, n) => path && this.place(n, path(ease(t))));
        flags.forEach((path) => path(ease(t)));
        moveEffects(this, t);
      });
    }
    if (this.state === after || lasts <= 20) this.show(after); // else another state is shown by now
    if (moment.kind === "end" && this.state === after && !this.calm.matches) celebrate(this, after);
  }

  // -- inside

  /** Nothing is celebrated any more. */
  endParty() {
    this.layers.finish.replaceChildren();
    for (const { node } of this.robots) node.querySelector(".rr-hop")?.classList.remove("rr-hop");
  }

  build(container) {
    const { width, height } = this.header;
    const box = `${-MARGIN} ${-MARGIN} ${width * CELL + 2 * MARGIN} ${height * CELL + 2 * MARGIN}`;
    this.layers = {};
    this.root = svg("svg", { viewBox: box, class: "rr-board rr-stage", role: "img" });
    this.root.setAttribute("aria-label", `The board: ${this.header.title}`);
    for (const name of ["static", "belts", "places", "hits", "robots", "effects", "finish"]) {
      this.layers[name] = svg("g", { class: `rr-${name}` });
      this.root.append(this.layers[name]);
    }
    this.robots = this.header.robots.map((robot) => this.buildRobot(robot));
    this.layers.robots.append(...this.robots.map((robot) => robot.node));
    container.style.setProperty("--columns", width + (2 * MARGIN) / CELL);
    container.style.setProperty("--rows", height + (2 * MARGIN) / CELL);
    this.camera = new Camera(container, this.root, this.calm);
  }

  buildRobot(robot) {
    const node = svg("g", { class: "rr-bot", "data-robot": robot.number });
    const title = svg("title");
    title.textContent = sentence(`{${robot.number}}`, this.header);
    const ring = svg("circle", { r: 47, class: "rr-ring" });
    node.append(title, ring, ...drawing(robot.svg));
    node.style.setProperty("--rr-robot", robot.color);
    return { node, body: node.querySelector(".rr-robot-body > g"), angle: 0 };
  }

  drawBoard(key) {
    if (this.board === key) return;
    this.board = key;
    this.layers.static.replaceChildren(...drawing(this.header.boards[key]));
    this.layers.belts.replaceChildren(...runningBelts(this.layers.static));
  }

  /** Checkpoints, cubes and archive markers where they lie. */
  drawPlaces(state) {
    const { symbols } = this.header;
    const parts = [];
    const put = (text, at, kind, number) => {
      const [x, y] = middle(at);
      parts.push(svg("g", { transform: `translate(${x} ${y})`, class: `rr-${kind}`, "data-number": number }, ...drawing(text)));
    };
    (state.cubes ?? []).forEach((at, i) => put(symbols.cube, at, "cube", i));
    state.checkpoints.forEach((at, i) => at && put(symbols.checkpoints[i] + this.claim(state, i), at, "checkpoint", i + 1));
    state.robots.forEach((robot, n) => robot.archive && put(symbols.archives[n], robot.archive, "archive", n));
    this.layers.places.replaceChildren(...parts);
    this.drawCarried(state);
  }

  /** A ring in the colour of the team that holds a flag (Toggle Boggle). */
  claim(state, flag) {
    const team = state.claims?.[flag];
    const holder = team == null ? null : this.header.robots.find((robot) => robot.team === team);
    return holder ? `<circle r="45" fill="none" stroke="${holder.color}" stroke-width="9"/>` : "";
  }

  /** Flags that robots carry, small beside them (Capture the Flag). */
  drawCarried(state) {
    for (const { node } of this.robots) node.querySelector(".rr-carried")?.remove();
    (state.carriers ?? []).forEach((robot, flag) => {
      if (robot == null) return;
      const symbol = svg("g", { class: "rr-carried", transform: "translate(30 -30) scale(.45)" });
      symbol.append(...drawing(this.header.symbols.checkpoints[flag]));
      this.robots[robot].node.append(symbol);
    });
  }

  drawTurn(turn) {
    this.robots.forEach(({ node }, n) => node.classList.toggle("rr-turn", n === turn));
  }

  /** Ramps as they are: each is drawn on and off. */
  drawRamps({ ramps }) {
    if (!ramps) return;
    const on = new Set(ramps.map(String));
    for (const node of this.layers.static.querySelectorAll('[data-kind="ramp"]')) {
      const isOn = on.has(`${node.dataset.x},${node.dataset.y}`);
      for (const [name, shown] of [["on", isOn], ["off", !isOn]]) {
        node.querySelector(`.rr-${name}`).setAttribute("display", shown ? "inline" : "none");
      }
    }
  }

  /** Who shares its cell, who is powered down; the small ones lie over the others. */
  drawModes(state) {
    this.robots.forEach(({ node }, n) => {
      const { virtual, down } = state.robots[n];
      node.classList.toggle("rr-down", Boolean(down));
      if (node.classList.toggle("rr-virtual", Boolean(virtual))) this.layers.robots.append(node);
    });
  }

  poseOf(n, state) {
    const robot = state.robots[n];
    if (!robot.at) return { hidden: true, x: 0, y: 0, angle: 90 * robot.facing, scale: 0 };
    const [x, y] = middle(robot.at);
    if (!robot.virtual) return { x, y, angle: 90 * robot.facing, scale: 1 };
    const before = state.robots.filter((other, i) => i < n && other.virtual && String(other.at) === String(robot.at));
    const [dx, dy] = CORNERS[before.length % CORNERS.length];
    return { x: x + dx, y: y + dy, angle: 90 * robot.facing, scale: SMALL };
  }

  place(n, { x, y, angle, scale, hidden }) {
    const { node, body } = this.robots[n];
    node.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(3)})`);
    node.style.visibility = hidden || scale < 0.02 ? "hidden" : "visible";
    body.setAttribute("transform", `rotate(${angle.toFixed(1)})`);
  }

  /** The way of a robot through a moment, as a function of the time from 0 to 1; null where it stays. */
  pathOf(n, stateBefore, stateAfter, moment) {
    const [before, after] = [stateBefore.robots[n], stateAfter.robots[n]];
    const effect = (type) => moment.fx?.find((fx) => fx.type === type && fx.robot === n);
    const fall = effect("fall");
    const bump = effect("bump");
    const turned = ((after.facing - before.facing + 6) % 4) - 2; // the shorter way round
    const from = this.poseOf(n, stateBefore);
    const to = this.poseOf(n, stateAfter);
    if (fall && before.at) return this.fallPath(from, before.at, fall);
    if (bump && before.at) {
      const [dx, dy] = STEP[bump.direction];
      return (t) => ({ ...to, x: from.x + 16 * dx * Math.sin(Math.PI * t), y: from.y + 16 * dy * Math.sin(Math.PI * t) });
    }
    if (!before.at && after.at) return (t) => ({ ...to, scale: to.scale * t });
    if (before.at && !after.at) return (t) => ({ ...from, scale: from.scale * (1 - t) });
    if (!after.at || (from.x === to.x && from.y === to.y && from.scale === to.scale && !turned)) return null;
    return (t) => ({
      x: from.x + (to.x - from.x) * t,
      y: from.y + (to.y - from.y) * t,
      angle: from.angle + 90 * turned * t,
      scale: from.scale + (to.scale - from.scale) * t,
    });
  }

  /** Into a pit or over the edge, then smaller and smaller. */
  fallPath(from, at, fall) {
    const [dx, dy] = fall.to ? [fall.to[0] - at[0], fall.to[1] - at[1]] : STEP[fall.direction];
    return (t) => {
      const way = Math.min(1, 2 * t);
      const drop = Math.max(0, 2 * t - 1);
      return {
        x: from.x + CELL * dx * way,
        y: from.y + CELL * dy * way,
        angle: from.angle + 200 * drop,
        scale: from.scale * (1 - drop),
      };
    };
  }

  /** Checkpoints that ride on belts. */
  flagPaths(before, after) {
    return after.checkpoints.flatMap((to, i) => {
      const from = before.checkpoints[i];
      const node = this.layers.places.querySelector(`.rr-checkpoint[data-number="${i + 1}"]`);
      if (!node || !from || !to || (from[0] === to[0] && from[1] === to[1])) return [];
      const [[x, y], [tx, ty]] = [middle(from), middle(to)];
      return [(t) => node.setAttribute("transform", `translate(${x + (tx - x) * t} ${y + (ty - y) * t})`)];
    });
  }

  /** Call `draw` with a time from 0 to 1 until it is over, or `finish` is called. */
  tween(lasts, draw) {
    return new Promise((resolve) => {
      let frame = 0;
      let started = null;
      const end = () => {
        cancelAnimationFrame(frame);
        this.finish = null;
        resolve();
      };
      const step = (now) => {
        started ??= now;
        const t = Math.min(1, (now - started) / lasts);
        draw(t);
        if (t >= 1) end();
        else frame = requestAnimationFrame(step);
      };
      this.finish = end;
      draw(0);
      frame = requestAnimationFrame(step);
    });
  }
}
