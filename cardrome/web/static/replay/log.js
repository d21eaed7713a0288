// The log: every turn and action by names. Clicking a line goes to that moment (event `seek`).
import { chipsOf, sayings, sentence, sideOf, signOf } from "./deeds.js";
import { icon } from "../cards/icons.js";
import { h } from "../markup.js";
import { phrase, t } from "../words.js";

export class CardromeLog extends HTMLElement {
  #lines = [];
  #now = null;
  #reached = -1;  // the last line that is not marked as later
  #list = null;

  // Write the log of a game; again when the language has changed.
  fill(game) {
    this.game = game;
    [this.#now, this.#reached] = [null, -1];
    this.#lines = game.frames.map((frame, n) => this.#line(frame, n));
    this.#list = h("ol", { id: "log", "aria-label": t("log.title") }, this.#lines);
    this.replaceChildren(this.#list);
  }

  // Keep the first lines, and add those of what came after.
  grow(kept) {
    for (const line of this.#lines.splice(kept)) line.remove();
    this.#reached = Math.min(this.#reached, kept - 1);
    const added = this.game.frames.slice(kept).map((frame, i) => this.#line(frame, kept + i));
    this.#lines.push(...added);
    this.#list.append(...added);
  }

  #line(frame, n) {
    const { deed } = frame, { game } = this, go = () => this.dispatchEvent(new CustomEvent("seek", { detail: n, bubbles: true }));
    if (deed.kind === "turn") {
      const who = game.players[deed.player], { review } = deed;
      return h("li", { class: `later t ${sideOf(game, deed.player)}` }, h("button", { type: "button", onclick: go },
        icon(deed.player === game.near ? "up" : "down", 9), h("span", { class: "who" }, `${frame.turn} · ${who}`), h("span", { class: "fx" }, chipsOf(game, deed), review ? h("span", { class: "fxc bad" }, t("log.lost", { n: Math.round(100 * review.cost) })) : null),
        deed.ms === undefined ? null : h("small", {}, t("log.ms", { n: deed.ms }))),
      review ? h("p", { title: review.text }, phrase("log.better", { line: h("span", {}, review.better.flatMap((better, i) => [i ? "; " : "", ...sentence(game, { deed: better })])) })) : null);
    }
    const other = deed.player !== undefined && frame.player !== null && deed.player !== frame.player && frame.kind === "battle" && deed.kind === "illegal";
    return h("li", { class: `later a do-${deed.kind}` }, h("button", { type: "button", onclick: go, title: deed.text ?? null },
      icon(signOf(game, deed), 13),
      h("span", {}, frame.kind === "draft" ? `${frame.round + 1}. ` : null, other ? `${game.players[deed.player]}: ` : null, sentence(game, frame),
        deed.times ? h("small", {}, deed.times.map((ms) => (ms === null ? "–" : t("log.ms", { n: ms }))).join(" · ")) : null,
        h("span", { class: "fx" }, chipsOf(game, deed)), sayings(game, deed))));
  }

  set at(n) {
    // Only the lines in between change: marking all that follow by a selector would cost a frame in a long game.
    for (let i = Math.min(n, this.#reached) + 1; i <= Math.max(n, this.#reached); i++) this.#lines[i].classList.toggle("later", i > n);
    this.#reached = n;
    this.#now?.classList.remove("now");
    this.#now?.firstChild.removeAttribute("aria-current");
    this.#now = this.#lines[n];
    this.#now.classList.add("now");
    this.#now.firstChild.setAttribute("aria-current", "step");
    // Only the log may scroll: scrollIntoView would also move the page on a small screen.
    const [frame, line] = [this.#list.getBoundingClientRect(), this.#now.getBoundingClientRect()];
    if (line.top < frame.top + 40) this.#list.scrollTop -= frame.top - line.top + 60;
    else if (line.bottom > frame.bottom - 60) this.#list.scrollTop += line.bottom - frame.bottom + 80;
  }
}

customElements.define("cardrome-log", CardromeLog);
