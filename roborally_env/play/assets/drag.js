// Dragging by mouse, pen or finger. A press that does not move stays a click.

const FAR = 8; // pixels before a press is a drag

/** Let `handle` be dragged onto one of `targets()` that `fits`; then `drop(target)` is called. */
export function drag(handle, { targets, fits, drop }) {
  handle.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || !down.isPrimary) return;
    let ghost = null;
    let over = null;
    const begin = () => {
      ghost = handle.cloneNode(true);
      ghost.classList.add("ghost");
      ghost.style.width = `${handle.offsetWidth}px`;
      ghost.setAttribute("aria-hidden", "true");
      document.body.append(ghost);
      handle.classList.add("is-dragged");
      targets().forEach((target) => target.classList.toggle("may-drop", fits(target)));
    };
    const move = (event) => {
      if (event.pointerId !== down.pointerId) return;
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < FAR) return;
      if (!ghost) begin();
      ghost.style.translate = `${event.clientX - handle.offsetWidth / 2}px ${event.clientY - handle.offsetHeight / 2}px`;
      over = targetAt(event, targets(), fits);
      targets().forEach((target) => target.classList.toggle("is-over", target === over));
    };
    const end = (event) => {
      if (event.pointerId !== down.pointerId) return;
      stop();
      if (ghost && over && event.type === "pointerup") drop(over);
    };
    const stop = () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      handle.classList.remove("is-dragged");
      targets().forEach((target) => target.classList.remove("may-drop", "is-over"));
      handle.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => handle.removeEventListener("click", swallow, { capture: true }), 0);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  });
}

/** The target under the pointer that the card fits in. */
function targetAt(event, targets, fits) {
  return targets.find((target) => {
    const box = target.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right
      && event.clientY >= box.top && event.clientY <= box.bottom;
    return inside && fits(target);
  }) || null;
}

/** The click that follows a drag is none. */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
