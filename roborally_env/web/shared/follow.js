let robot = null;

/** The number of the robot that the page follows, or null: its panel, its lines of the log and the board show it. */
export const followed = () => robot;

/** Follow a robot by its number, or nobody (null). Everything that shows it listens to `rr-follow`. */
export function follow(number) {
  robot = number;
  document.dispatchEvent(new CustomEvent("rr-follow", { detail: number }));
}
