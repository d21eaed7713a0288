// A worked example: a small position on the same board as everywhere, with a button that plays it. The caption beside it
// says the same in words, so the board itself is only a picture to those who do not see it.
import "../match/board.js";
import { cardElement } from "../cards/card.js";
import { hero } from "../match/hero.js";
import { icon } from "../cards/icons.js";
import { h, nodes } from "../markup.js";
import { Recording } from "../replay/recording.js";
import { sentence } from "../replay/deeds.js";
import { t } from "../words.js";

const PACE = 1600;  // ms between two actions
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class CardromeExample extends HTMLElement {
  #now = 0;
  #timer = null;
  #part = {};
  #handless = [];

  load(data) {
    this.game = new Recording({ ...data, players: [t("rules.to-you"), t("rules.to-opponent")] });
    if (this.game.last === 0) return this.#lookAt(this.game.card(this.game.frames[0].sides[0].hand[0]));
    // A hand that stays empty takes no room, but attacks on its player still go there.
    this.#handless = [0, 1].map((p) => !this.game.frames.some(({ sides }) => sides[p].hand.length));
    const board = h("cardrome-board"), [me, foe] = this.#handless.map((none) => h("div", { class: none ? "handless" : "" })), says = h("span", { class: "says" }), button = (sign, key, action) =>
      h("button", { type: "button", class: "iconbtn", title: t(key), "aria-label": t(key), onclick: action }, icon(sign, 14));
    board.game = this.game;
    const caption = this.parentElement.querySelector("figcaption");
    caption.id ||= `caption-${this.getAttribute("name")}`;
    const play = h("button", { type: "button", class: "btn", "aria-describedby": caption.id, onclick: () => this.toggle() });
    this.#part = { board, foe, me, says, play };
    this.replaceChildren(
      h("div", { class: `stage${data.slots ? "" : " shared-deck"}`, inert: true }, foe, board, me),
      h("div", { class: "examplebar" }, play, button("left", "controls.previous", () => this.#step(-1)), button("right", "controls.next", () => this.#step(1)), says));
    this.#draw(false);
    if (!STILL.matches) this.#playWhenSeen();
  }

  // Nothing happens here: it is a card to look at.
  #lookAt(card) {
    this.parentElement.classList.add("one-card");
    this.replaceChildren(cardElement(card, { size: "l", as: "div" }));
  }

  // The first time an example is wholly on the screen it plays by itself.
  #playWhenSeen() {
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      if (this.#now === 0 && this.#timer === null) this.toggle();
    }, { threshold: 0.9 });
    seen.observe(this);
  }

  toggle() {
    if (this.#timer !== null) return this.#stop();
    if (this.#now === this.game.last) this.#go(0);
    this.#tick();
    this.#buttons();
  }

  #tick() {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#go(this.#now + 1);
      if (this.#now < this.game.last) this.#tick();
      this.#buttons();
    }, this.#now ? PACE : PACE / 2);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#buttons();
  }

  #step(by) { this.#stop(); this.#go(this.#now + by); }

  // One step onwards is shown as it happens: the actor moves first, then the numbers change.
  #go(n) {
    const before = this.#now;
    this.#now = Math.min(Math.max(n, 0), this.game.last);
    const onwards = this.#now === before + 1 && !STILL.matches, at = this.#now;
    const wait = onwards ? this.#part.board.lunge(this.game.frames[at].deed) : 0;
    if (wait) setTimeout(() => { if (this.#now === at) this.#draw(true); }, wait);
    else this.#draw(onwards);
    this.#buttons();
  }

  #draw(animate) {
    const { game } = this, { board, foe, me, says } = this.#part, frame = game.frames[this.#now], before = game.frames[this.#now - 1] ?? null;
    const panel = (p) => hero({
      player: p, name: t(p ? "rules.opponent" : "rules.you"), note: "", near: p === 0, active: frame.player === p, side: frame.sides[p], before: before?.sides[p].health,
      most: game.data.health, runes: game.data.slots ? game.data.runes : null, animate,
    });
    foe.replaceChildren(panel(1));
    me.replaceChildren(panel(0));
    board.show(frame, before, [true, true], animate);
    [".hand.me", ".hand.foe"].forEach((hand, p) => board.querySelector(hand).classList.toggle("never", this.#handless[p]));
    says.replaceChildren(...nodes([frame.deed.kind === "turn" ? t(frame.deed.player ? "rules.turn-opponent" : "rules.turn-you") : sentence(game, frame)]));
    this.#buttons();
  }

  #buttons() {
    const { play } = this.#part, playing = this.#timer !== null, over = this.#now === this.game.last;
    const [sign, key] = playing ? ["pause", "controls.stop"] : over ? ["prev", "rules.again"] : ["play", "controls.play"];
    play.replaceChildren(...nodes([icon(sign, 14), t(key)]));
    this.dataset.step = `${this.#now} ${this.game.last}`;
  }
}

customElements.define("cardrome-example", CardromeExample);
