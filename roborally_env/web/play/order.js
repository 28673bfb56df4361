// Who acts when: the robots in their order, the one whose turn it is marked.

import { el } from "../shared/elements.js";
import { dot, nameOf } from "../shared/names.js";

const BY_ANTENNA = "In each register the robot nearest to the priority antenna acts first. The distance is measured again for each register.";
const BY_NUMBERS = "In each register the robot with the highest number on its card moves first.";

/** Fill the line with the order of a state. */
export function drawOrder(line, state, header) {
  const order = state.order ?? null;
  const numbered = header.edition === "2005";
  const rule = numbered ? BY_NUMBERS : BY_ANTENNA;
  const label = el("span", { class: "order-label", text: "Turn order", title: rule });
  if (!order) {
    line.replaceChildren(...(numbered ? [label, el("span", { class: "when", text: "highest number first" })] : []));
    return;
  }
  const at = order.indexOf(state.turn ?? null);
  const robots = order.map((robot, k) => {
    const isDone = state.register && at >= 0 && k < at;
    return el("li", { class: isDone ? "is-done" : "", "aria-current": k === at ? "step" : null, title: nameOf(robot, header) },
      dot(robot, header.robots[robot].color), el("span", { class: "unseen", text: nameOf(robot, header) }));
  });
  line.replaceChildren(label, el("ol", { "aria-label": "Turn order" }, ...robots));
}
