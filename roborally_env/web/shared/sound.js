import { el, svg } from "./elements.js";
import { kept } from "./kept.js";

const KEPT = "roborally-sound";
const LOUD = 0.16;
const SIGNS = { off: "M4 9v6h4l5 4V5L8 9zM17 9l4 6M21 9l-4 6", on: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12" };

// a tone: shape, from and to hertz, seconds, when it begins, how loud of 1
const TONES = {
  card: [["square", 520, 480, 0.04, 0, 0.25]],
  move: [["triangle", 150, 190, 0.11, 0, 0.8]],
  turn: [["triangle", 260, 330, 0.09, 0, 0.5]],
  belt: [["sawtooth", 70, 85, 0.22, 0, 0.3]],
  push: [["square", 110, 70, 0.09, 0, 0.6]],
  bump: [["square", 90, 50, 0.1, 0, 0.6]],
  laser: [["sawtooth", 1500, 280, 0.2, 0, 0.4]],
  fall: [["sine", 720, 60, 0.5, 0, 0.9]],
  back: [["sine", 220, 520, 0.22, 0, 0.6]],
  energy: [["sine", 880, 1320, 0.09, 0, 0.5]],
  checkpoint: [["triangle", 660, 660, 0.12, 0, 0.7], ["triangle", 880, 880, 0.22, 0.11, 0.7]],
  win: [523, 659, 784, 1047].map((pitch, i) => ["triangle", pitch, pitch, i < 3 ? 0.16 : 0.5, 0.13 * i, 0.8]),
};
const OF_KIND = {
  card: "card", move: "move", slide: "move", turn: "turn", gear: "turn", belt: "belt", panel: "push", push: "push",
  laser: "laser", robot_laser: "laser", trapdoor: "fall", fall: "fall", reboot: "back", placed: "back", energy: "energy",
  repaired: "energy", checkpoint: "checkpoint", flag: "checkpoint", win: "win",
};

/** What is heard of a moment: made of tones, no files. Off until the reader wants it; that is kept. */
class Sound {
  constructor() {
    this.isOn = kept.get(KEPT) === "on";
  }

  /** A button that turns it on and off. */
  button() {
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path"));
    this.node = el("button", { type: "button", onclick: () => this.toggle() }, icon);
    this.draw();
    return this.node;
  }

  toggle() {
    this.isOn = !this.isOn;
    kept.set(KEPT, this.isOn ? "on" : "off");
    this.draw();
    if (this.isOn) this.sing("energy");
  }

  /** Sound as a moment does that is played, quieter where many follow each other quickly. */
  of(moment, speed = 1) {
    if (!this.isOn) return;
    const has = (type) => moment.fx?.some((fx) => fx.type === type);
    const name = has("fall") ? "fall" : has("bump") ? "bump" : OF_KIND[moment.kind];
    if (name) this.sing(name, speed > 2 ? 0.5 : 1);
  }

  // -- inside

  draw() {
    if (!this.node) return;
    const label = this.isOn ? "Sound off" : "Sound on";
    this.node.setAttribute("aria-label", label);
    this.node.title = `${label} (M)`;
    this.node.querySelector("path").setAttribute("d", SIGNS[this.isOn ? "on" : "off"]);
  }

  sing(name, loud = 1) {
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume();
    for (const [type, from, to, lasts, later, part] of TONES[name]) {
      const begins = this.context.currentTime + later;
      const tone = new OscillatorNode(this.context, { type, frequency: from });
      tone.frequency.exponentialRampToValueAtTime(to, begins + lasts);
      const gain = new GainNode(this.context, { gain: 0 });
      gain.gain.setValueAtTime(0, begins);
      gain.gain.linearRampToValueAtTime(LOUD * loud * part, begins + 0.01);
      gain.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
      tone.connect(gain).connect(this.context.destination);
      tone.start(begins);
      tone.stop(begins + lasts);
    }
  }
}

export const sound = new Sound();
