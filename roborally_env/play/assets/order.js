// Who acts when: the robots in their order, the one whose turn it is marked.

import { el } from "./dom.js";

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
    const dot = el("span", { class: "rr-dot", text: String(robot), "aria-hidden": "true" });
    dot.style.setProperty("--rr-robot", header.robots[robot].color);
    dot.style.color = Robo.inkOn(header.robots[robot].color);
    const isDone = state.register && at >= 0 && k < at;
    return el("li", { class: isDone ? "is-done" : "", "aria-current": k === at ? "step" : null, title: Robo.nameOf(robot, header) },
      dot, el("span", { class: "unseen", text: Robo.nameOf(robot, header) }));
  });
  line.replaceChildren(label, el("ol", { "aria-label": "Turn order" }, ...robots));
}
