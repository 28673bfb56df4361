import { middle } from "./cells.js";
import { svg } from "./elements.js";

const GAP = 12; // between the beams of one laser
const PAPERS = 46;

/** What is seen for the time of a moment only: beams, hits, sparks. Each has its place in `moveEffects`. */
export const drawEffects = (board, moment, before, after) => {
  const parts = (moment.fx ?? []).flatMap((fx) => {
    if (fx.type === "beam") return beams(board, fx);
    if (fx.type === "flash") return [spark(middle(fx.at), "flash")];
    const robot = after.robots[fx.robot]?.at ?? before.robots[fx.robot]?.at;
    if (!robot) return [];
    if (fx.type === "hit") return [hit(middle(robot))];
    return fx.type === "spark" ? [spark(middle(robot), fx.kind)] : [];
  });
  const isHit = (node) => node.dataset.type === "hit";
  board.layers.hits.replaceChildren(...parts.filter(isHit));
  board.layers.effects.replaceChildren(...parts.filter((node) => !isHit(node)));
};

/** Let the effects go on to the time `t` of the moment, 0 to 1. */
export const moveEffects = ({ layers }, t) => {
  for (const node of [...layers.hits.children, ...layers.effects.children]) {
    if (node.dataset.type === "beam") moveBeam(node, t);
    else if (node.dataset.type === "hit") node.style.opacity = String(Math.max(0, Math.sin(Math.PI * (1.4 * t - 0.3))));
    else node.setAttribute("transform", `${node.dataset.at} scale(${0.3 + 1.1 * t})`);
    if (node.dataset.type === "spark") node.style.opacity = String(1 - t * t);
  }
};

/** The end of a race that somebody has won: the winners hop, and paper in their colours rains on the board, once. */
export const celebrate = (board, state) => {
  if (state.winner == null) return;
  const { robots, width, height } = board.header;
  const { team } = robots[state.winner];
  const winners = robots.filter(({ number, team: other }) => number === state.winner || (team != null && other === team));
  const colors = [...winners.map(({ color }) => color), "#ffffff", "#ffcf3f", "#15171a"];
  const papers = Array.from({ length: PAPERS }, (_, i) => {
    const x = (((i * 0.618) % 1) * width * 100).toFixed(0); // spread evenly, alike with each race
    const paper = svg("rect", { class: "rr-paper", x: -7, y: -11, width: 14, height: 22, fill: colors[i % colors.length] });
    const from = `${x}px, -60px`;
    const to = `${Number(x) + ((i * 37) % 120) - 60}px, ${height * 100 + 80}px`;
    for (const [name, value] of [["--from", from], ["--to", to], ["--turns", `${300 + ((i * 97) % 500)}deg`]]) paper.style.setProperty(name, value);
    paper.style.animationDelay = `${(i * 53) % 900}ms`;
    return paper;
  });
  board.layers.finish.replaceChildren(...papers);
  for (const { number } of winners) {
    const node = board.robots[number].node.querySelector(".rr-robot-body");
    node.classList.add("rr-hop");
    node.addEventListener("animationend", () => node.classList.remove("rr-hop"), { once: true });
  }
  papers.at(-1).addEventListener("animationend", () => board.layers.finish.replaceChildren());
};

/** The beams of a laser or of a robot, from one cell to another. */
const beams = (board, fx) => {
  if (!fx.from || !fx.to) return [];
  const [from, to] = [middle(fx.from), middle(fx.to)];
  const color = fx.robot == null ? "" : board.header.robots[fx.robot].color;
  const count = fx.beams ?? 1;
  const [dx, dy] = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  const own = fx.robot == null ? 40 : 0; // a board laser begins at its wall, behind the first cell's middle
  return Array.from({ length: count }, (_, i) => {
    const aside = (i - (count - 1) / 2) * GAP;
    const [sx, sy] = [from[0] - own * dx + aside * dy, from[1] - own * dy + aside * dx];
    return beam([sx, sy], [to[0] + aside * dy, to[1] + aside * dx], color);
  });
};

const beam = ([x1, y1], [x2, y2], color) => {
  const ends = { x1, y1, x2, y2 };
  const node = svg("g", { class: "rr-flash", "data-type": "beam" });
  node.append(svg("line", { ...ends, class: "rr-glow" }), svg("line", { ...ends, class: "rr-core" }));
  if (color) node.style.setProperty("--rr-shot", color);
  Object.assign(node.dataset, ends);
  return node;
};

/** A beam shoots out in the first third, stays, and fades in the last. */
const moveBeam = (node, t) => {
  const { x1, y1, x2, y2 } = node.dataset;
  const far = Math.min(1, 3.5 * t);
  for (const line of node.children) {
    line.setAttribute("x2", Number(x1) + (x2 - x1) * far);
    line.setAttribute("y2", Number(y1) + (y2 - y1) * far);
  }
  node.style.opacity = String(Math.min(1, 3 * (1 - t)));
};

const hit = ([x, y]) => {
  const node = svg("g", { class: "rr-hit", "data-type": "hit", transform: `translate(${x} ${y})` });
  node.append(svg("path", { d: "M0-62L17-30 50-44 38-12 64 6 36 20 40 54 10 40 -14 64 -22 34 -58 32 -40 4 -62-22 -26-26Z" }));
  node.style.opacity = "0";
  return node;
};

const spark = ([x, y], kind) => {
  const at = `translate(${x} ${y})`;
  const node = svg("g", { class: `rr-spark rr-spark-${kind}`, "data-type": "spark", "data-at": at, transform: at });
  node.append(svg("circle", { r: 52 }));
  return node;
};
