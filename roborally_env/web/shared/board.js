// Everything that draws a race, for pages of your own.

export { Log } from "./log.js";
export { Panels, shopNodes } from "./panels.js";
export { Race } from "./race.js";
export { RoboBoard } from "./stage.js";
