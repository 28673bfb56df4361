/** Units of the drawing in a cell. */
export const CELL = 100;

/** The middle of a cell [x, y] in units of the drawing. */
export const middle = ([x, y]) => [x * CELL + CELL / 2, y * CELL + CELL / 2];
