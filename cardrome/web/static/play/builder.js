// Building a deck from the whole pool: filter, sort, choose. What may be chosen, the server says.
import { cardElement } from "../cards/card.js";
import { icon, keywordIcon } from "../cards/icons.js";
import { readingView } from "../cards/reading.js";
import { cardName, spokenCard } from "../cards/words.js";
import { chosenCards, deckList, deckTitle, KEYWORDS } from "./deck.js";
import { manaCurve, TYPES } from "../match/decks.js";
import { ARROWS, keepingFocus, neighbour } from "./focus.js";
import { h, nodes } from "../markup.js";
import { t } from "../words.js";

const ORDERS = {
  cost: (a, b) => (a.cost ?? 0) - (b.cost ?? 0) || a.number - b.number, number: (a, b) => a.number - b.number,
  attack: (a, b) => (b.attack ?? 0) - (a.attack ?? 0) || a.number - b.number, defense: (a, b) => (b.defense ?? 0) - (a.defense ?? 0) || a.number - b.number,
};

export class CardromeBuilder extends HTMLElement {
  #deck = [];
  #moves = new Map();
  #undo = 0;
  #cells = new Map();
  #part = {};
  #wanted = { text: "", types: new Set(), costs: new Set(), areas: new Set(), keywords: new Set(), order: "cost" };
  #hint = null;

  build(game) {
    this.game = game;
    this.classList.add("builder-page");
    const part = this.#part = { filters: h("search", { class: "filt" }), grid: h("div", { class: "cards" }), found: h("p", { class: "vh", role: "status" }), deck: h("aside", { class: "mydeck", "aria-label": t("play.deck") }) };
    this.replaceChildren(h("h1", { class: "vh" }, t("play.build")), part.filters, h("section", { class: "pool", "aria-label": t("play.pool") }, part.grid, part.found), part.deck);
    for (const [index, card] of game.data.cards.entries()) this.#cells.set(index, this.#cell(card, index));
    this.#filters();
    this.#sort();
    readingView(this, { taps: false });
  }

  show(frame) { this.#deck = chosenCards(this.game, frame); }

  watch() {}

  ask(moves, undo) {
    this.#moves = new Map(moves.kind("choose").map((move) => [move.card, move]));
    [this.#undo, this.#hint] = [undo, null];
    keepingFocus(this, () => this.#draw());
  }

  suggest(move, agent) {
    this.#hint = { move, agent };
    this.#draw();
    const cell = this.#cells.get(move.card);
    cell.hidden = false;
    cell.firstChild.focus();
    cell.scrollIntoView({ block: "nearest" });
  }

  focusNext() { if (!this.contains(document.activeElement)) [...this.#cells.values()].find((cell) => !cell.hidden && cell.firstChild.getAttribute("aria-disabled") !== "true")?.firstChild.focus({ preventScroll: true }); }

  key(event) {
    const direction = ARROWS[event.key];
    if (!direction) return false;
    const cards = [...this.querySelectorAll(".cell:not([hidden]) .card, .mydeck button")], next = neighbour(document.activeElement, cards, direction);
    if (next) next.focus();
    else if (!cards.includes(document.activeElement)) this.focusNext();
    return true;
  }

  #play(move) { this.dispatchEvent(new CustomEvent("play", { detail: move, bubbles: true })); }

  #want(what) { this.dispatchEvent(new CustomEvent("want", { detail: what, bubbles: true })); }

  #cell(card, index) {
    const element = cardElement(card, { size: "s" });
    element.addEventListener("click", () => { const move = this.#moves.get(index); if (move) this.#play(move); });
    return h("div", { class: "cell" }, element, h("span", { class: "pips", "aria-hidden": "true" }));
  }

  // What has changed with the deck: pips and what can still be chosen.
  #draw() {
    const { game } = this, { cards } = game.data, counts = new Map(), missing = game.data.deck_size - this.#deck.length;
    for (const card of this.#deck) counts.set(card, (counts.get(card) ?? 0) + 1);
    for (const [index, cell] of this.#cells) {
      const [element, pips] = cell.children, n = counts.get(cards[index]) ?? 0, open = this.#moves.has(index);
      element.classList.toggle("is-full", !open);
      element.classList.toggle("is-playable", open && n > 0);
      element.classList.toggle("is-hint", this.#hint?.move.card === index);
      element.setAttribute("aria-disabled", !open);
      element.setAttribute("aria-label", n ? `${spokenCard(cards[index], "")}. ${t("play.in-deck", { n })}` : spokenCard(cards[index], ""));
      pips.replaceChildren(...Array.from({ length: game.data.copies }, (_, i) => h("i", { class: i < n ? "on" : "" })));
    }
    const list = deckList(this.#deck), button = (what, sign, key, more = {}) => h("button", { type: "button", class: "btn", id: `do-${what}`, title: t(key), onclick: () => this.#want(what), ...more }, icon(sign), t(key));
    for (const strip of list.querySelectorAll(".strip")) {
      strip.setAttribute("aria-label", t("play.drop", { card: cardName(strip.card) }));
      strip.addEventListener("click", () => this.#want(["drop", cards.indexOf(strip.card)]));
    }
    this.#part.deck.replaceChildren(deckTitle(game, this.#deck), h("div", { class: "meter", "aria-hidden": "true" }, h("i", { style: { width: `${(100 * this.#deck.length) / game.data.deck_size}%` } })), manaCurve(this.#deck), list,
      this.#hint ? h("p", { class: "hint" }, icon("bulb", 18), h("span", {}, h("b", {}, t("play.hint-of", { agent: this.#hint.agent })), " ", cardName(cards[this.#hint.move.card]))) : "",
      h("div", { class: "ways" }, button("undo", "undo", "play.undo", { "aria-disabled": this.#undo === 0 }), button("hint", "bulb", "play.hint"), button("complete", "ffwd", "play.complete")),
      h("p", { class: "missing", role: "status" }, t("play.missing", { n: missing })));
  }

  // Filters

  #filters() {
    const { cards } = this.game.data, wanted = this.#wanted, most = Math.max(...cards.map(({ cost = 0 }) => cost));
    const counts = Array.from({ length: most + 1 }, (_, cost) => cards.filter((card) => (card.cost ?? 0) === cost).length), top = Math.max(...counts);
    const toggle = (set, value, content, label, kind = "tg") => {
      const button = h("button", { type: "button", class: kind, "aria-pressed": false, "aria-label": label, title: label, onclick: () => {
        if (!set.delete(value)) set.add(value);
        button.setAttribute("aria-pressed", set.has(value));
        this.#sort();
      } }, ...nodes([content]));
      return button;
    };
    const areas = cards.some(({ area }) => area) ? [1, 2].map((area) => toggle(wanted.areas, area, [icon(`area${area}`, 14), h("span", { class: "wide-only" }, t(`area.item.${area}`))], t(`area.item.${area}`))) : [];
    this.#part.filters.replaceChildren(
      h("div", { class: "frow" },
        h("label", { class: "search" }, icon("search", 14), h("span", { class: "vh" }, t("play.search")), h("input", { type: "search", placeholder: t("play.search"), oninput: (event) => { wanted.text = event.target.value.trim().toLowerCase(); this.#sort(); } })),
        TYPES.map(([type, sign]) => toggle(wanted.types, type, [icon(sign, 13), h("span", { class: "hide-phone" }, t(`play.kind.${type}`)), h("small", {}, cards.filter((card) => card.type === type).length)], t(`play.kind.${type}`))),
        h("span", { class: "grow" }), areas),
      h("div", { class: "frow low" },
        h("div", { class: "hist", role: "group", "aria-label": t("play.by-cost") }, counts.map((n, cost) => toggle(wanted.costs, cost, [h("i", { style: { height: `${(n / top) * 26}px` } }), cost], t("play.of-cost", { n, cost }), "bin"))),
        h("span", { class: "grow" }), KEYWORDS.map((letter) => toggle(wanted.keywords, letter, keywordIcon(letter, 20, ""), t(`keyword.${letter}`), "tg kw")),
        h("label", { class: "order" }, h("span", { class: "vh" }, t("play.order")), h("select", { onchange: (event) => { wanted.order = event.target.value; this.#sort(); } }, Object.keys(ORDERS).map((order) => h("option", { value: order }, t(`play.order.${order}`)))))));
  }

  #sort() {
    const { cards } = this.game.data, { text, types, costs, areas, keywords, order } = this.#wanted;
    const shown = (card) => (!types.size || types.has(card.type)) && (!costs.size || costs.has(card.cost ?? 0)) && (!areas.size || areas.has(card.area))
      && [...keywords].every((letter) => (card.keywords ?? "").includes(letter)) && (!text || spokenCard(card, "").toLowerCase().includes(text) || String(card.number) === text);
    const sorted = [...this.#cells].sort(([a], [b]) => ORDERS[order](cards[a], cards[b]));
    for (const [index, cell] of sorted) cell.hidden = !shown(cards[index]);
    this.#part.grid.replaceChildren(...sorted.map(([, cell]) => cell));
    this.#part.found.replaceChildren(t("play.found", { n: sorted.filter(([, cell]) => !cell.hidden).length }));
  }
}

customElements.define("cardrome-builder", CardromeBuilder);
