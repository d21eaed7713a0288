// The home page: a real game goes on beside the title, and editions show one of their cards.
import "../site/page.js";
import "../match/board.js";
import { cardElement } from "../cards/card.js";
import { crest } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { figure, h, nodes } from "../markup.js";
import { sentence } from "../replay/deeds.js";
import { Recording } from "../replay/recording.js";
import { t } from "../words.js";

const PACE = 1900;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

// A recorded game that plays by itself, without end. It waits while nobody looks, and for whoever asked for stillness.
class CardromeDemo extends HTMLElement {
  #game = null;
  #now = 0;
  #playing = !STILL.matches;
  #part = {};

  async connectedCallback() {
    const answer = await fetch(this.getAttribute("source"));
    if (!answer.ok) return;
    this.#game = new Recording(await answer.json());
    const line = (place) => h("p", { class: `side ${place}` });
    const part = this.#part = {
      board: h("cardrome-board", { inert: true }), far: line("far"), near: line("near"), said: h("p", { class: "said" }),
      pause: h("button", { type: "button", class: "iconbtn", onclick: () => { this.#playing = !this.#playing; this.#button(); } }),
    };
    part.board.game = this.#game;
    this.replaceChildren(part.far, part.board, part.near, h("div", { class: "below" }, part.pause, part.said));
    this.#button();
    this.#show(this.#richest(), false);
    setInterval(() => { if (this.#playing && !document.hidden) this.#next(); }, PACE);
  }

  // The frame with the most creatures: the best one to begin with.
  #richest() {
    const crowd = ({ sides }) => (sides ? [0, 1].flatMap((p) => Object.values(sides[p].rows).flat()).length : -1), counts = this.#game.frames.map(crowd);
    return counts.indexOf(Math.max(...counts));
  }

  #next() {
    const { frames, last } = this.#game, first = frames.findIndex(({ kind }) => kind === "battle"), to = this.#now < last ? this.#now + 1 : first;
    const wait = to > first ? this.#part.board.lunge(frames[to].deed) : 0;
    setTimeout(() => this.#show(to, true), wait);
  }

  #show(n, animate) {
    const { frames, players } = this.#game, frame = frames[n], before = frames[n - 1]?.kind === "battle" ? frames[n - 1] : null;
    this.#now = n;
    this.#part.board.show(frame, before, [false, false], animate);
    for (const [p, place] of [[0, this.#part.near], [1, this.#part.far]]) {
      place.classList.toggle("active", frame.player === p);
      place.replaceChildren(...nodes([crest(players[p], 22), h("b", {}, players[p]), h("span", { class: "hp" }, icon("heart", 14, t("hero.spoken", { name: players[p], n: figure(frame.sides[p].health) })), figure(frame.sides[p].health))]));
    }
    this.#part.said.replaceChildren(...nodes(frame.deed.kind === "turn" ? [t("turn.spoken", { n: frame.turn, name: players[frame.deed.player] })] : sentence(this.#game, frame)));
  }

  #button() {
    const label = t(this.#playing ? "controls.stop" : "controls.play");
    this.#part.pause.replaceChildren(...nodes([icon(this.#playing ? "pause" : "play", 13)]));
    this.#part.pause.setAttribute("aria-label", label);
    this.#part.pause.title = label;
  }
}

// A card as a picture: `<cardrome-card card="{...}">`.
class CardromeCard extends HTMLElement {
  connectedCallback() {
    this.setAttribute("aria-hidden", "true");
    this.replaceChildren(cardElement(JSON.parse(this.getAttribute("card")), { size: "x", as: "div" }));
  }
}

customElements.define("cardrome-card", CardromeCard);
customElements.define("cardrome-demo", CardromeDemo);
