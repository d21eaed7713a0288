// The controls of a replay: to the start, a turn or an action back, play, on, to the end, and the speed. They only say
// what is wanted: events `step` (first, earlier, previous, next, later, last), `toggle` and `speed`.
import { icon } from "../cards/icons.js";
import { h, nodes } from "../markup.js";
import { t } from "../words.js";

export const SPEEDS = [1, 2, 4];
const STEPS = [["first", "prev"], ["earlier", "rew"], ["previous", "left"], null, ["next", "right"], ["later", "ffwd"], ["last", "next"]];

export class CardromeControls extends HTMLElement {
  #playing = false;
  #speed = 1;

  connectedCallback() {
    this.classList.add("ctl");
    this.setAttribute("role", "group");
    this.fill();
  }

  // Draw the buttons; again when the language has changed.
  fill() {
    const say = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    this.setAttribute("aria-label", t("controls.title"));
    this.replaceChildren(...STEPS.map((step) => {
      if (!step) return h("button", { type: "button", id: "play", class: "iconbtn big", onclick: () => say("toggle") });
      const [name, sign] = step;
      return h("button", { type: "button", id: name, class: "iconbtn", "aria-label": t(`controls.${name}`), title: `${t(`controls.${name}`)} (${t(`key.${name}`)})`, onclick: () => say("step", name) }, icon(sign));
    }), h("span", { class: "seg speeds", role: "group", "aria-label": t("controls.speed") }, SPEEDS.map((speed) =>
      h("button", { type: "button", "data-speed": speed, onclick: () => say("speed", speed) }, `${speed}×`))));
    this.state({ playing: this.#playing, speed: this.#speed, first: false, last: false });
  }

  state({ playing, speed, first, last }) {
    [this.#playing, this.#speed] = [playing, speed];
    const play = this.querySelector("#play"), label = t(playing ? "controls.stop" : "controls.play");
    play.replaceChildren(...nodes([icon(playing ? "pause" : "play", 20)]));
    play.setAttribute("aria-label", label);
    play.title = `${label} (${t("key.play")})`;
    for (const button of this.querySelectorAll("[data-speed]")) button.setAttribute("aria-pressed", Number(button.dataset.speed) === speed);
    // A disabled button would lose the focus of whoever steps by keyboard.
    for (const name of ["first", "earlier", "previous"]) this.querySelector(`#${name}`).setAttribute("aria-disabled", first);
    for (const name of ["next", "later", "last"]) this.querySelector(`#${name}`).setAttribute("aria-disabled", last);
  }
}

customElements.define("cardrome-controls", CardromeControls);
