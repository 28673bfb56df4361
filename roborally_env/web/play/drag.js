// Dragging by mouse, pen or finger. A press that does not move stays a click.

const FAR = 8; // pixels before a press is a drag
const CLICK_COMES = 300; // ms within which the click of a release comes
const GAP = 16; // pixels round a target that belong to it

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
      if (ghost) move(event); // the last place is that of the release
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
      swallowClick();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  });
}

/** The nearest target that the card fits in, if the pointer is over it or no farther than the gap between two. */
function targetAt(event, targets, fits) {
  const near = targets.filter(fits).map((target) => ({ target, far: distance(event, target.getBoundingClientRect()) }))
    .filter(({ far }) => far <= GAP).sort((a, b) => a.far - b.far);
  return near.length ? near[0].target : null;
}

/** How far a point is from a box, 0 inside. */
function distance({ clientX, clientY }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - clientX, 0, clientX - right), Math.max(top - clientY, 0, clientY - bottom));
}

/** The click that ends a drag is none, wherever it goes; the next press is one again. */
function swallowClick() {
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true });
  const stop = () => removeEventListener("click", swallow, { capture: true });
  addEventListener("pointerdown", stop, { capture: true, once: true });
  setTimeout(stop, CLICK_COMES);
}
