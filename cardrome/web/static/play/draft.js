// The draft: take one of the cards on offer. Looking at one shows where it would go in the curve; the second press takes it.
import { cardElement } from "../cards/card.js";
import { icon } from "../cards/icons.js";
import { readingView } from "../cards/reading.js";
import { cardLines, cardName } from "../cards/words.js";
import { chosenCards, deckFigures, deckList, deckTitle } from "./deck.js";
import { keepingFocus } from "./focus.js";
import { TYPES } from "../match/decks.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const PHONE = matchMedia("(max-width: 719px)");
const SIGNS = Object.fromEntries(TYPES);

export class CardromeDraft extends HTMLElement {
  #frame = null;
  #deck = [];
  #moves = [];
  #undo = 0;
  #look = null;
  #hint = null;
  #part = {};

  build(game) {
    this.game = game;
    this.classList.add("drafting-page");
    this.#part = { stage: h("section", { class: "stage", "aria-label": t("play.draft") }), deck: h("aside", { class: "mydeck", "aria-label": t("play.deck") }) };
    this.replaceChildren(this.#part.stage, this.#part.deck);
    readingView(this.#part.deck);
  }

  show(frame) {
    this.#frame = frame;
    this.#deck = chosenCards(this.game, frame);
  }

  watch() {}

  ask(moves, undo) {
    [this.#moves, this.#undo, this.#look, this.#hint] = [moves.kind("pick"), undo, null, null];
    keepingFocus(this, () => this.#draw());
  }

  suggest(move, agent) {
    [this.#look, this.#hint] = [move.choice, { move, agent }];
    this.#draw();
    this.#offer(move.choice).focus();
  }

  focusNext() { if (!this.contains(document.activeElement)) this.#offer(this.#look ?? 0)?.focus(); }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], move = this.#moves[Number(event.key) - 1], last = this.#moves.length - 1;
    if (step) this.#offer(Math.min(last, Math.max(0, this.#look === null ? 0 : this.#look + step))).focus();
    else if (move) this.#play(move);
    else return false;
    return true;
  }

  #offer(n) { return this.querySelectorAll(".offers .card")[n]; }

  #play(move) { this.dispatchEvent(new CustomEvent("play", { detail: move, bubbles: true })); }

  #want(what) { this.dispatchEvent(new CustomEvent("want", { detail: what, bubbles: true })); }

  #draw() {
    const { game } = this, size = game.data.deck_size, n = this.#deck.length, foe = game.players[1 - game.near], focused = [...this.querySelectorAll(".offers .card")].indexOf(document.activeElement);
    const button = (what, sign, key, more = {}) => h("button", { type: "button", class: "btn", id: `do-${what}`, title: t(key), onclick: () => this.#want(what), ...more }, icon(sign), t(key));
    this.#part.stage.replaceChildren(
      h("div", { class: "drafthead" }, h("h1", {}, t("play.pick", { n: n + 1 }), " ", h("small", {}, t("draft.of", { n: size }))), h("span", { class: "chip hide-phone" }, icon("eye", 12), h("span", { class: "cut" }, t("play.same", { name: foe }))),
        h("span", { class: "grow" }), h("span", { class: "chip hide-phone" }, t("play.to-go", { n: size - n }))),
      h("div", { class: "track", role: "progressbar", "aria-valuenow": n, "aria-valuemin": 0, "aria-valuemax": size, "aria-label": t("play.progress") },
        Array.from({ length: size }, (_, i) => (i < n ? h("i", { class: this.#deck[i].type, title: cardName(this.#deck[i]) }, icon(SIGNS[this.#deck[i].type], 10)) : h("i", i === n ? { class: "now" } : {}, i === n ? n + 1 : null)))),
      h("div", { class: "offers" }, this.#moves.map((move, i) => this.#choice(move, i))),
      h("p", { class: "looked only-phone" }),
      this.#hint ? h("p", { class: "hint" }, icon("bulb", 18), h("span", {}, h("b", {}, t("play.hint-of", { agent: this.#hint.agent })), " ", cardName(game.data.cards[this.#hint.move.card]))) : "",
      h("div", { class: "foot2" }, h("span", { class: "hide-phone" }, this.#moves.map((_, i) => [h("kbd", {}, i + 1), " "]), t("play.key-take")), h("span", { class: "hide-phone" }, h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " ", t("play.key-move")), h("span", { class: "grow hide-phone" }),
        this.#undo ? button("undo", "undo", "play.undo") : null, button("hint", "bulb", "play.hint"), button("complete", "ffwd", "play.complete-draft")));
    this.#figures();
    if (focused >= 0) this.#offer(focused)?.focus();
  }

  #choice(move, i) {
    const { game } = this, card = game.data.cards[move.card], element = cardElement(card, { size: PHONE.matches ? "s" : "l", state: "" });
    const take = () => this.#play(move);
    element.addEventListener("click", (event) => { if (this.#look === i || event.detail === 0) take(); else this.#see(i); });
    element.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") this.#see(i); });
    element.addEventListener("focus", () => { if (element.matches(":focus-visible")) this.#see(i); });
    const kind = this.#deck.filter(({ type }) => type === card.type).length, cost = this.#deck.filter((each) => (each.cost ?? 0) === (card.cost ?? 0)).length;
    const fact = (what, count) => h("span", { class: "chip" }, what, h("small", {}, count ? t("play.in-deck", { n: count }) : t("play.none-yet")));
    return h("section", { class: "offered", "aria-label": cardName(card) }, element,
      h("button", { type: "button", class: "btn pick", onclick: take, "aria-label": t("play.take-card", { card: cardName(card) }) }, h("kbd", { class: "hide-phone" }, i + 1), t("play.take")),
      h("p", {}, fact(t(`type.${card.type}`), kind), fact(t("play.cost", { n: card.cost ?? 0 }), cost)));
  }

  #see(i) {
    if (this.#look === i) return;
    this.#look = i;
    this.#figures();
  }

  #figures() {
    const look = this.#moves[this.#look], more = look ? this.game.data.cards[look.card] : null;
    this.querySelectorAll(".offered").forEach((offer, i) => {
      offer.classList.toggle("on", i === this.#look);
      offer.querySelector(".card").classList.toggle("is-playable", i === this.#look);
      offer.querySelector(".pick").classList.toggle("gold", i === this.#look);
    });
    this.querySelector(".looked").replaceChildren(...(more ? [h("b", {}, cardName(more)), " ", cardLines(more).map(({ text }) => text).join(" · ")] : []));
    this.#part.deck.replaceChildren(deckTitle(this.game, this.#deck), ...deckFigures(this.#deck, more), deckList(this.#deck));
  }
}

customElements.define("cardrome-draft", CardromeDraft);
