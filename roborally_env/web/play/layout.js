// Where the parts of the page lie, beside what play.html and play.css say.

import { find } from "../shared/elements.js";

const WIDE = 16; // columns from which on a board takes the room of panels

/** Arrange the page for a board of this size. */
export function fitTo({ width, height }) {
  document.body.classList.toggle("is-tall", height > width);
  document.body.classList.toggle("is-wide", width > WIDE);
}

/** The turn order lies in the bar where that has room, else before the panels. */
export function placeOrder(order) {
  const wide = matchMedia("(min-width: 701px)");
  const place = () => (wide.matches ? find("clock").after(order) : find("panels").prepend(order));
  wide.addEventListener("change", place);
  place();
}

/** A question that nobody sees is none: on small screens the board and the desk come back into view. */
export function bringDesk() {
  const { top, bottom } = find("desk").getBoundingClientRect();
  if (bottom < 100 || top > innerHeight - 100) scrollTo({ top: 0 });
}
