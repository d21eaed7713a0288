// The timeline: both health curves behind a scrubber, the future paler; runes and deaths on it, one tick for each turn.
// A recording with an `evaluation` (how likely the first player wins, for each frame or each turn) has its curve too.
// Dragging and keys move the playhead (event `seek`).
import { icon } from "../cards/icons.js";
import { h, picture, svg } from "../markup.js";
import { t } from "../words.js";

const W = 1000, H = 68, FOOT = 14;
const APART = 0.007;
const SHORT = 0.3;  // a draft frame is this long beside one of the battle

export class CardromeTimeline extends HTMLElement {
  #knob = null;
  #clips = [];
  #marks = [];
  #xs = [];

  connectedCallback() {
    this.classList.add("scrub");
    this.tabIndex = 0;
    this.setAttribute("role", "slider");
    this.addEventListener("pointerdown", (event) => { this.setPointerCapture(event.pointerId); this.#drag(event); });
    this.addEventListener("pointermove", (event) => { if (this.hasPointerCapture(event.pointerId)) this.#drag(event); });
  }

  #drag(event) {
    const box = this.getBoundingClientRect(), x = (event.clientX - box.left) / box.width;
    const after = this.#xs.findIndex((each) => each >= x), n = after < 0 ? this.#xs.length - 1 : after > 0 && x - this.#xs[after - 1] < this.#xs[after] - x ? after - 1 : after;
    this.dispatchEvent(new CustomEvent("seek", { detail: n, bubbles: true }));
  }

  fill(game) {
    this.game = game;
    this.setAttribute("aria-label", t("timeline.title"));
    this.setAttribute("aria-valuemin", 0);
    this.setAttribute("aria-valuemax", game.last);
    const lengths = game.frames.map((frame) => (frame.kind === "draft" ? SHORT : 1)), total = lengths.slice(1).reduce((a, b) => a + b, 0) || 1;
    let x = 0;
    this.#xs = lengths.map((length, n) => (n ? (x += length) : 0) / total);
    this.#draw();
  }

  #draw() {
    const { game } = this, { frames } = game, most = frames.reduce((high, { sides }) => (sides ? Math.max(high, sides[0].health, sides[1].health) : high), game.data.health) + 1;
    const X = (n) => this.#xs[n] * W, Y = (health) => H - (Math.max(0, health) / most) * H, health = (n, p) => frames[n].sides?.[p].health ?? game.data.health;
    const curve = (p) => frames.map((_, n) => (n ? `H${X(n).toFixed(1)}V${Y(health(n, p)).toFixed(1)}` : `M0 ${Y(health(0, p)).toFixed(1)}`)).join("");
    const curves = [0, 1].map(curve), ends = [...game.starts.slice(1), game.last];
    const ticks = game.starts.map((start, i) => svg`<rect class="tick p${frames[start].kind === "battle" ? frames[start].player ?? frames[start].deed.player : "x"}" data-start="${start}" x="${X(start).toFixed(1)}" y="${H + 1}" width="${Math.max(0.8, X(ends[i]) - X(start) - 1.5).toFixed(1)}" height="5" rx="1.5"/>`);
    const made = picture(svg`<svg viewBox="0 0 ${W} ${H + FOOT}" preserveAspectRatio="none" aria-hidden="true"><clipPath id="cd-past"><rect y="-4" height="${H + 8}" width="0"/></clipPath><clipPath id="cd-future"><rect y="-4" height="${H + 8}" width="${W}"/></clipPath>${game.data.runes.map((rune) => svg`<path class="level" d="M0 ${Y(rune).toFixed(1)}H${W}"/>`)}${ticks}${curves.map((path, p) => svg`<path class="area p${p}" d="${path}V${H}H0z"/>`)}${["past", "future"].map((part) => svg`<g class="${part}" clip-path="url(#cd-${part})">${curves.map((path, p) => svg`<path class="curve p${p}" d="${path}"/>`)}</g>`)}</svg>`);
    const chances = game.chances;
    if (chances) made.append(...picture(svg`<svg viewBox="0 0 1 1"><path class="chance" d="M${chances.map(([n, chance]) => `${X(n).toFixed(1)} ${((1 - chance) * H).toFixed(1)}`).join("L")}"/></svg>`).childNodes);
    this.#clips = [...made.querySelectorAll("clipPath rect")];
    this.#marks = [...made.querySelectorAll(".tick")].map((tick) => [Number(tick.dataset.start), tick]);
    const signs = frames.flatMap(({ deed, sides }, n) => (deed.changes ?? []).filter(([kind]) => kind === "dies" || kind === "rune").map(([kind, who]) => {
      const top = kind === "rune" ? (Y(sides[who].health) / (H + FOOT)) * 100 : 61;
      return [n, kind === "rune" ? "rune" : "L", kind === "rune" ? (who ? "foe" : "me") : "dead", top];
    })).concat(game.faults.map((n) => [n, "flag", "fault", 8]), game.data.outcome === null ? [] : [[game.last, "trophy", "end", 61]]);
    const latest = {};  // signs of a kind keep their distance
    const events = signs.filter(([n, , kind]) => this.#xs[n] - (latest[kind] ?? -1) > APART && (latest[kind] = this.#xs[n], true)).map(([n, sign, kind, top]) => {
      const element = h("span", { class: `ev ${kind}`, style: { left: `${this.#xs[n] * 100}%`, top: `${top}%` } }, icon(sign, kind === "me" || kind === "foe" ? 9 : 11));
      this.#marks.push([n, element]);
      return element;
    });
    this.#knob = h("div", { class: "knob" });
    this.replaceChildren(made, ...events, this.#knob);
  }

  set at(n) {
    const x = this.#xs[n], label = momentName(this.game, n);
    this.#clips[0].setAttribute("width", x * W);
    this.#clips[1].setAttribute("x", x * W);
    for (const [start, element] of this.#marks) element.classList.toggle("later", start > n);
    this.#knob.style.left = `${x * 100}%`;
    this.#knob.dataset.t = label;
    this.#knob.classList.toggle("first", x < 0.05);
    this.#knob.classList.toggle("last", x > 0.95);
    this.setAttribute("aria-valuenow", n);
    this.setAttribute("aria-valuetext", t("timeline.spoken", { moment: label, n: n + 1, all: this.game.last + 1 }));
  }
}

export function momentName(game, n) {
  const frame = game.frames[n];
  if (frame.kind === "draft") return t("moment.card", { n: frame.round + 1 });
  return frame.kind === "decks" ? t("moment.decks") : t("moment.turn", { n: frame.turn });
}

customElements.define("cardrome-timeline", CardromeTimeline);
