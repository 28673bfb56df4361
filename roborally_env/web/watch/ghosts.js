import { middle } from "../shared/cells.js";
import { drawing, svg } from "../shared/elements.js";

const ASIDE = 7; // by how much two ways lie beside each other
const CROSS = "M-15-15L15 15M15-15L-15 15";

/**
 * Draw the ways of a robot in a round on the board, and the robot's ghost where the other one ends.
 * @param {Object} board a RoboBoard
 * @param {Object} robot of the header
 * @param {{made: Object, better: ?Object, obvious: ?Object}} ghosts as Python's `Ghost.to_dict` gives them; the
 *   obvious one of a brilliant program, beside which there is none that is better
 */
export const drawGhosts = (board, robot, { made, better, obvious }) => {
  clearGhosts(board);
  const layer = svg("g", { class: "rr-ghosts", "aria-hidden": "true" });
  const other = better ?? obvious;
  if (made) layer.append(...way(made, "made", other ? ASIDE : 0));
  if (other) layer.append(...way(other, better ? "better" : "obvious", -ASIDE), ghost(robot, other.path[other.path.length - 1]));
  board.layers.robots.before(layer);
};

export const clearGhosts = (board) => board.root.querySelector(".rr-ghosts")?.remove();

/** A line through the places of a way, a cross where it leads off the board, and the register's number at its end. */
const way = ({ path }, kind, aside) => {
  const at = ([, x, y]) => middle([x, y]).map((place) => place + aside);
  const parts = [];
  let points = [];
  path.forEach((place, i) => {
    if (place.length > 1) {
      points.push(at(place));
      const next = path[i + 1];
      if (i && place[0] && (!next || next[0] !== place[0])) parts.push(step(at(place), place[0], kind));
      return;
    }
    if (points.length) parts.unshift(line(points, kind), cross(points[points.length - 1], kind));
    points = [];
  });
  return [line(points, kind), ...parts];
};

const line = (points, kind) => {
  const shape = points.map((point) => point.join(",")).join(" ");
  return svg("g", {}, svg("polyline", { points: shape, class: "rr-way-casing" }), svg("polyline", { points: shape, class: `rr-way rr-way-${kind}` }));
};

const cross = ([x, y], kind) => svg("path", { d: CROSS, class: `rr-way rr-way-${kind} rr-way-off`, transform: `translate(${x} ${y})` });

/** Steps on one space in the same direction lie on each other: later registers lie over earlier ones. */
const step = ([x, y], register, kind) => {
  const node = svg("g", { class: `rr-step rr-step-${kind}`, transform: `translate(${x} ${y})` }, svg("circle", { r: 13 }));
  const text = svg("text", { y: 6.5, "text-anchor": "middle" });
  text.textContent = register;
  node.append(text);
  return node;
};

const ghost = (robot, [, x, y, facing]) => {
  if (x == null) return svg("g");
  const [left, top] = middle([x, y]);
  const node = svg("g", { class: "rr-ghost", transform: `translate(${left} ${top})` }, svg("circle", { r: 47 }), ...drawing(robot.svg));
  node.querySelector(".rr-robot-body > g")?.setAttribute("transform", `rotate(${90 * facing})`);
  return node;
};
