import { el, svg } from "./elements.js";
import { followed } from "./follow.js";
import { sound } from "./sound.js";

const LARGEST = 190; // pixels of a cell
const STEP = 1.3; // of a key or a button
const PER_PIXEL = 0.0016; // of the wheel
const LINE = 16; // pixels of a line, where a wheel counts lines
const SLIDE = 60; // pixels of an arrow key
const CLICK = 4; // pixels that a hand may shake in a click
const LASTS = 160; // milliseconds of a step
const SIGNS = {
  in: "M12 5v14M5 12h14", out: "M5 12h14", home: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  theatre: "M3 6h18v12H3zM8 21h8",
};

const MORE = [ // sides at which a board goes on, and where one scrolls to from there
  { name: "left", x: -1, y: 0, sign: "‹", label: "Show the board to the left" },
  { name: "right", x: 1, y: 0, sign: "›", label: "Show the board to the right" },
  { name: "up", x: 0, y: -1, sign: "‹", label: "Show the board above" },
  { name: "down", x: 0, y: 1, sign: "›", label: "Show the board below" },
];

/**
 * The part of the board that is seen: zoom 1 is where the page begins, smaller down to the whole board. The board lies
 * in a box that scrolls, so that it cannot be lost.
 */
export class Camera {
  /**
   * @param {Element} container of the page, gets the box
   * @param {SVGElement} root the drawing
   * @param {MediaQueryList} calm matches where nothing shall move
   */
  constructor(container, root, calm) {
    Object.assign(this, { root, calm });
    this.zoom = 1;
    this.isHeld = false; // moved by hand: nothing is followed until a register begins
    this.fingers = new Map();
    this.box = el("div.rr-scroller", { role: "group", "aria-label": "Board" }, root);
    this.tools = this.buildTools();
    container.classList.add("rr-lens");
    this.container = container;
    container.append(this.box, this.tools, ...MORE.map((side) => this.more(side)));
    this.bind();
  }

  /** Zoom in (above 1) or out, round the robot that is followed, else round the middle of what is seen. */
  step(factor) {
    const { left, top, width, height } = this.box.getBoundingClientRect();
    const followed = this.root.querySelector(".rr-followed")?.getBoundingClientRect();
    const at = followed?.width ? followed : { left, top, width, height };
    this.glide(this.zoom * factor, [at.left + at.width / 2, at.top + at.height / 2]);
  }

  /** As the page began. */
  home() {
    this.set(1, [0, 0]);
    this.isHeld = false;
  }

  /** Bring a place of the drawing into view, with `near` units round it, where the box is smaller than the board. */
  reveal(x, y, near) {
    const { box } = this;
    if (!this.isScrolled()) return;
    const [board, seen] = [this.root.getBoundingClientRect(), box.getBoundingClientRect()];
    const { x: left, y: top, width } = this.root.viewBox.baseVal;
    const scale = board.width / width;
    const [at, down] = [board.left - seen.left + (x - left) * scale, board.top - seen.top + (y - top) * scale];
    const room = Math.min(near * scale, box.clientWidth / 2, box.clientHeight / 2);
    const isSeen = at >= room && at <= box.clientWidth - room && down >= room && down <= box.clientHeight - room;
    if (isSeen) return;
    const behavior = this.calm.matches ? "auto" : "smooth";
    box.scrollTo({ left: box.scrollLeft + at - box.clientWidth / 2, top: box.scrollTop + down - box.clientHeight / 2, behavior });
  }

  /** A button at a side on which the board goes on beyond its box; by keyboard the box itself is scrolled. */
  more({ name, x, y, sign, label }) {
    const { box } = this;
    const onclick = () => {
      this.isHeld = true;
      const behavior = this.calm.matches ? "auto" : "smooth";
      box.scrollBy({ left: x * box.clientWidth * 0.7, top: y * box.clientHeight * 0.7, behavior });
    };
    return el(`button.rr-more.rr-to-${name}`, { type: "button", tabindex: "-1", "aria-label": label, title: label, text: sign, onclick });
  }

  /** Show at which sides the board goes on. */
  markHiddenSides() {
    const { scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight } = this.box;
    const { classList, style } = this.container;
    classList.toggle("rr-more-left", scrollLeft > 4);
    classList.toggle("rr-more-right", scrollLeft + clientWidth < scrollWidth - 4);
    classList.toggle("rr-more-up", scrollTop > 4);
    classList.toggle("rr-more-down", scrollTop + clientHeight < scrollHeight - 4);
    style.setProperty("--seen-height", `${clientHeight}px`); // below it are the tools
  }

  isScrolled() {
    return this.box.scrollWidth > this.box.clientWidth || this.box.scrollHeight > this.box.clientHeight;
  }

  /** Leave only the board and a thin bar, or come back. */
  theatre(isOn = !document.body.classList.contains("rr-theatre")) {
    document.body.classList.toggle("rr-theatre", isOn);
    this.tools.querySelector(".rr-lens-theatre").setAttribute("aria-pressed", String(isOn));
    this.home();
    if (isOn) scrollTo({ top: 0, behavior: "instant" });
  }

  /** What the keys of the camera do. */
  actions() {
    const isTheatre = document.body.classList.contains("rr-theatre");
    return {
      "+": () => this.step(STEP), "=": () => this.step(STEP), "-": () => this.step(1 / STEP), 0: () => this.home(),
      t: () => this.theatre(), ...(isTheatre && { Escape: () => this.theatre(false) }),
    };
  }

  // -- inside

  buildTools() {
    const button = (sign, label, act, keys) => {
      const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: SIGNS[sign] }));
      const options = { type: "button", "aria-label": label, title: `${label} (${keys})`, onclick: act };
      return el(`button.rr-lens-${sign}`, options, icon);
    };
    return el("div.rr-lens-tools", { role: "group", "aria-label": "View of the board" },
      button("in", "Zoom in", () => this.step(STEP), "+"),
      button("out", "Zoom out", () => this.step(1 / STEP), "−"),
      button("home", "Reset the view", () => this.home(), "0"),
      button("theatre", "Show only the board", () => this.theatre(), "T"),
      sound.button());
  }

  bind() {
    const { box } = this;
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel"]) box.addEventListener(type, (event) => this.up(event));
    // one finger scrolls as everywhere; of two the browser shall make nothing of its own
    for (const type of ["touchstart", "touchmove"]) {
      box.addEventListener(type, (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    }
    box.addEventListener("keydown", (event) => this.slide(event));
    box.addEventListener("scroll", () => this.markHiddenSides(), { passive: true });
    new ResizeObserver(() => this.markHiddenSides()).observe(this.root);
    new ResizeObserver(() => this.settle()).observe(box);
    addEventListener("resize", () => this.zoom !== 1 && this.home());
  }

  /** Smallest and largest zoom: the whole board, and cells as large as they are of use. */
  limits() {
    const { box, root } = this;
    const { width, height } = root.getBoundingClientRect();
    const whole = Math.min(box.clientWidth / width, box.clientHeight / height) * this.zoom;
    const cell = (width / root.viewBox.baseVal.width) * 100;
    return [Math.min(1, whole), Math.max(1, (LARGEST * this.zoom) / cell)];
  }

  /** Zoom so that what lies at a place of the window stays there. */
  set(zoom, [x, y]) {
    const { box, root } = this;
    const [least, most] = this.limits();
    const before = root.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    const next = Math.min(most, Math.max(least, zoom));
    // the box keeps its height: what is below it shall not jump
    if (this.zoom === 1 && next !== 1) box.style.height = `${box.getBoundingClientRect().height}px`;
    if (next === 1) box.style.height = "";
    this.zoom = next;
    this.isHeld = followed() === null;
    root.style.setProperty("--zoom", String(next));
    const after = root.getBoundingClientRect();
    box.scrollLeft += after.left + across * after.width - x;
    box.scrollTop += after.top + down * after.height - y;
    this.settle();
  }

  /** The same as a movement. */
  glide(zoom, place) {
    cancelAnimationFrame(this.gliding);
    if (this.calm.matches) {
      this.set(zoom, place);
      return;
    }
    const [from, started] = [this.zoom, performance.now()];
    const go = (now) => {
      const t = Math.min(1, Math.max(0, (now - started) / LASTS));
      this.set(from * (zoom / from) ** t, place);
      if (t < 1) this.gliding = requestAnimationFrame(go);
    };
    go(started);
    this.gliding = requestAnimationFrame(go);
  }

  /** A box that scrolls is a stop of the tab key, has a hand as pointer and keeps what scrolls it to itself. */
  settle() {
    const { box } = this;
    box.classList.toggle("is-across", box.scrollWidth > box.clientWidth);
    box.classList.toggle("is-down", box.scrollHeight > box.clientHeight);
    if (this.isScrolled()) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
    this.markHiddenSides();
  }

  /** The wheel zooms; where it cannot zoom out further the page scrolls, and a page that is scrolled goes up first. */
  wheel(event) {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const isPageDown = event.deltaY < 0 && !event.ctrlKey && scrollY > 0;
    if (event.deltaY === 0 || isPageDown) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE : event.deltaY;
    const faster = event.ctrlKey ? 5 : 1; // a pinch on a touchpad, in small steps
    const before = this.zoom;
    this.set(before * Math.exp(-pixels * PER_PIXEL * faster), [event.clientX, event.clientY]);
    if (this.zoom !== before || event.ctrlKey) event.preventDefault();
  }

  down(event) {
    if (event.pointerType === "touch") this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    else if (event.button === 0 && this.isScrolled()) {
      this.hand = { id: event.pointerId, x: event.clientX, y: event.clientY, left: this.box.scrollLeft, top: this.box.scrollTop };
      event.preventDefault();
    }
  }

  move(event) {
    if (this.fingers.has(event.pointerId)) this.pinch(event);
    const { hand, box } = this;
    if (hand?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - hand.x, event.clientY - hand.y];
    if (!hand.isDrag && Math.hypot(dx, dy) <= CLICK) return;
    if (!hand.isDrag) {
      hand.isDrag = this.isHeld = true;
      box.setPointerCapture(event.pointerId);
      box.classList.add("is-dragged");
    }
    box.scrollTo({ left: hand.left - dx, top: hand.top - dy, behavior: "instant" });
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    if (event.pointerType === "touch" && this.isScrolled() && event.type === "pointercancel") this.isHeld = true; // a finger scrolls
    if (this.hand?.id !== event.pointerId) return;
    this.box.classList.remove("is-dragged");
    if (this.hand.isDrag) { // the click at the end of a drag is none
      const stop = (click) => click.stopPropagation();
      this.box.addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => this.box.removeEventListener("click", stop, { capture: true }));
    }
    this.hand = null;
  }

  /** Two fingers: what lies between them stays between them, and grows with their distance. */
  pinch(event) {
    const before = [...this.fingers.values()];
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size !== 2) return;
    const [from, to] = [before, [...this.fingers.values()]].map(([[ax, ay], [bx, by]]) => ({
      at: [(ax + bx) / 2, (ay + by) / 2], apart: Math.max(1, Math.hypot(ax - bx, ay - by)),
    }));
    this.set((this.zoom * to.apart) / from.apart, to.at);
    this.box.scrollLeft += from.at[0] - to.at[0];
    this.box.scrollTop += from.at[1] - to.at[1];
  }

  /** Arrows of a box that has the focus; they are no keys of the page then. */
  slide(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || event.target !== this.box || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    this.isHeld = true;
    this.box.scrollBy({ left: SLIDE * way[0], top: SLIDE * way[1], behavior: this.calm.matches ? "instant" : "smooth" });
    event.preventDefault();
    event.stopPropagation();
  }
}
