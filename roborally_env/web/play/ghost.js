// The ghost: where the placed cards would take a robot alone, drawn on the board. The server finds the way by the rules.

import { middle } from "../shared/cells.js";
import { drawing, svg } from "../shared/elements.js";

const LAYER = "rr-ghost-way";
const ABOVE = "rr-ghost-stops";
const STEP = 100; // a cell
const CROSS = "M-26 -26L26 26M26 -26L-26 26";
const HEAD = "M0 -49L17 -30H-17Z"; // at the northern edge of a cell

/** Draw a way on the board, in place of the one before. */
export function drawGhost(board, robot, ghost) {
  removeGhost(board);
  if (!ghost || (ghost.path.length < 2 && !ghost.falls.length)) return;
  const { robots } = board.layers;
  const layer = svg("g", { class: LAYER, "aria-hidden": "true", "data-registers": ghost.registers });
  layer.style.setProperty("--rr-robot", board.header.robots[robot].color);
  for (const line of lines(ghost.path)) layer.append(stroke(line, "rr-ghost-under"), stroke(line, "rr-ghost-line"));
  for (const fall of ghost.falls) layer.append(...fallen(fall));
  const end = ghost.path[ghost.path.length - 1];
  if (end.at) layer.append(figure(board.header.robots[robot], ghost.path[0], end));
  robots.before(layer);
  const above = svg("g", { class: ABOVE, "aria-hidden": "true" }); // no robot hides a number
  above.append(...stops(ghost.path, ghost.registers));
  robots.after(above);
}

export function removeGhost(board) {
  board.root.querySelectorAll(`.${LAYER}, .${ABOVE}`).forEach((layer) => layer.remove());
}

/** The way in pieces: a new one begins where the robot is put down. */
function lines(path) {
  const found = [[]];
  for (const { at } of path) {
    const line = found[found.length - 1];
    const last = line[line.length - 1];
    const isNear = at && last && Math.abs(at[0] - last[0]) + Math.abs(at[1] - last[1]) <= 1;
    if (at && (isNear || !line.length)) line.push(at);
    else if (line.length || at) found.push(at ? [at] : []);
  }
  return found.filter((line) => line.length > 1);
}

function stroke(cells, kind) {
  const points = cells.map((cell) => middle(cell).join(" "));
  return svg("polyline", { points: points.join(" "), class: kind });
}

/** A cross where the robot falls, and a dashed line to where it comes back. */
function fallen({ at, back }) {
  const [x, y] = middle(at);
  const cross = svg("g", { class: "rr-ghost-fall", transform: `translate(${x} ${y})` });
  cross.append(svg("path", { d: CROSS, class: "rr-ghost-under" }), svg("path", { d: CROSS }));
  if (!back) return [cross];
  const [x2, y2] = middle(back);
  return [svg("line", { x1: x, y1: y, x2, y2, class: "rr-ghost-back" }), cross];
}

/** The robot, faint, where the way ends; where it begins too the arrow alone. */
function figure(robot, start, end) {
  const [x, y] = middle(end.at);
  const group = svg("g", { class: "rr-ghost-end", transform: `translate(${x} ${y})` });
  if (String(start.at) !== String(end.at)) {
    const body = svg("g", { class: "rr-ghost-robot" });
    body.append(...drawing(robot.svg));
    body.querySelector(".rr-robot-body > g")?.setAttribute("transform", `rotate(${90 * end.facing})`);
    group.append(body);
  }
  group.append(svg("path", { d: HEAD, transform: `rotate(${90 * end.facing})`, class: "rr-ghost-head" }));
  return group;
}

/** The numbers of the registers at the cells in which they end. */
function stops(path, registers) {
  const byCell = new Map();
  for (let k = 1; k <= registers; k += 1) {
    const { at } = path.findLast(({ register }) => register <= k);
    if (at) byCell.set(String(at), [...(byCell.get(String(at)) ?? []), k]);
  }
  return [...byCell].map(([cell, numbers]) => badge(cell.split(",").map(Number), ranges(numbers)));
}

/** "2", "2-4", "1, 3" */
function ranges(registers) {
  const isRow = registers.length > 2 && registers[registers.length - 1] - registers[0] === registers.length - 1;
  return isRow ? `${registers[0]}–${registers[registers.length - 1]}` : registers.join(",");
}

function badge(at, text) {
  const [x, y] = middle(at);
  const wide = 20 + 15 * text.length;
  const group = svg("g", { class: "rr-ghost-stop", transform: `translate(${x + STEP / 2 - wide / 2} ${y - STEP / 2 + 18})` });
  const words = svg("text", { "text-anchor": "middle", y: 9.5 });
  words.textContent = text;
  group.append(svg("rect", { x: -wide / 2, y: -18, width: wide, height: 36, rx: 18 }), words);
  return group;
}
