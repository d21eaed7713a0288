// The card browser: all cards of a set, filtered and sorted. What is chosen stands in the address.
import "../site/page.js";
import { cardElement, defs } from "./card.js";
import { icon, keywordIcon } from "./icons.js";
import { readingView } from "./reading.js";
import { cardLines, cardName } from "./words.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const DEAR = 8;  // the last button of the cost filter stands for this and more
const SIGNS = { creature: "claw", green: "plus", red: "dash", blue: "star", heal: "heart", damage: "broken", take: "draw", buff: "up", deactivate: "sleep" };
const ORDERS = ["number", "cost", "attack", "defense", "name"];
const GROUPS = ["kind", "cost", "keyword", "area"];

const kindOf = (card) => card.spell ?? card.type;
const kindName = (kind) => t(["creature", "green", "red", "blue"].includes(kind) ? `type.${kind}` : `cards.spell-${kind}`);
const costOf = (card) => Math.min(card.cost ?? 0, DEAR);

class CardromeCards extends HTMLElement {
  #cards = [];
  #chosen = new Map(GROUPS.map((group) => [group, new Set()]));  // by filter: what is let through; nothing chosen, all
  #words = "";
  #order = "number";
  #part = {};

  connectedCallback() {
    this.#cards = JSON.parse(document.getElementById("cards").textContent).map((card) => {
      const element = cardElement(card, { size: "s" });
      element.tabIndex = -1;
      return { card, element, text: [cardName(card), ...cardLines(card).map((line) => line.text)].join(" ").toLocaleLowerCase() };
    });
    this.#read();
    this.#build();
    this.#show();
    readingView(this.#part.grid);
    this.#part.grid.addEventListener("keydown", (event) => this.#walk(event));
    this.#part.grid.addEventListener("focusin", (event) => this.#enter(event.target.closest(".card")));
    for (const field of document.querySelectorAll(".which select")) field.addEventListener("change", () => field.form.requestSubmit());
  }

  // The address says what is chosen: `?q=owl&kind=creature&cost=3.4&keyword=GW&sort=cost`.
  #read() {
    const asked = new URLSearchParams(location.search), all = this.#cards.map(({ card }) => card);
    const offered = { kind: all.map(kindOf), cost: all.map((card) => String(costOf(card))), keyword: all.flatMap((card) => [...(card.keywords ?? "")]), area: ["1"] };
    for (const [group, chosen] of this.#chosen) {
      const words = (asked.get(group) ?? "").split(group === "keyword" ? "" : ".");
      for (const word of words) if (offered[group].includes(word)) chosen.add(word);
    }
    this.#words = (asked.get("q") ?? "").slice(0, 100);
    if (ORDERS.includes(asked.get("sort"))) this.#order = asked.get("sort");
  }

  #write() {
    const address = new URL(location.href), say = (name, value) => { address.searchParams.delete(name); if (value) address.searchParams.set(name, value); };
    say("q", this.#words);
    for (const [group, chosen] of this.#chosen) say(group, [...chosen].sort().join(group === "keyword" ? "" : "."));
    say("sort", this.#order === "number" ? "" : this.#order);
    history.replaceState(null, "", address);
    const back = document.querySelector(".settings [name=back]");  // the language switch comes back to the same selection
    if (back) back.value = address.pathname + address.search;
  }

  #build() {
    const cards = this.#cards.map(({ card }) => card), kinds = [...new Set(cards.map(kindOf))].sort((a, b) => Object.keys(SIGNS).indexOf(a) - Object.keys(SIGNS).indexOf(b));
    const costs = [...new Set(cards.map(costOf))].sort((a, b) => a - b), letters = [...new Set(cards.flatMap((card) => [...(card.keywords ?? "")]))].sort();
    const part = this.#part = {
      search: h("input", { type: "search", id: "search", value: this.#words, maxlength: 100, placeholder: t("cards.search"), "aria-label": t("cards.search"), oninput: (event) => { this.#words = event.target.value; this.#show(); } }),
      count: h("p", { class: "count", role: "status" }), clear: h("button", { type: "button", class: "btn", onclick: () => this.#clear() }, t("cards.clear")),
      grid: h("div", { class: "cardgrid", role: "group", "aria-label": t("cards.title") }), none: h("p", { class: "none" }, t("cards.none")),
    };
    const order = h("select", { id: "sort", onchange: (event) => { this.#order = event.target.value; this.#show(); } }, ORDERS.map((name) => h("option", { value: name, selected: name === this.#order }, t(`cards.by-${name}`))));
    this.replaceChildren(defs(), h("section", { class: "filters box", "aria-label": t("cards.filters") }, part.search,
      h("button", { type: "button", class: "btn only-phone", id: "filters", "aria-expanded": false, onclick: ({ currentTarget }) => currentTarget.setAttribute("aria-expanded", this.classList.toggle("open")) }, icon("down", 10), t("cards.filters")),
      this.#group("kind", kinds.map((kind) => [kind, [icon(SIGNS[kind] ?? "deck", 13), kindName(kind)]])),
      this.#group("cost", costs.map((cost) => [String(cost), [cost < DEAR ? cost : `${DEAR}+`], cost < DEAR ? "" : t("cards.cost-up", { n: DEAR })])),
      letters.length ? this.#group("keyword", letters.map((letter) => [letter, [keywordIcon(letter, 20), t(`keyword.${letter}`)]])) : null,
      cards.some((card) => card.area) ? this.#group("area", [["1", [icon("area1", 13), t("cards.area")]]]) : null,
      h("label", { class: "sort" }, h("span", { class: "eyebrow" }, t("cards.sort")), order), h("div", { class: "found" }, part.count, part.clear)),
    part.none, part.grid);
  }

  #group(group, choices) {
    const chosen = this.#chosen.get(group), press = (event) => {
      const { value } = event.currentTarget;
      if (!chosen.delete(value)) chosen.add(value);
      event.currentTarget.setAttribute("aria-pressed", chosen.has(value));
      this.#show();
    };
    return h("div", { class: `filter ${group}`, role: "group", "aria-label": t(`cards.${group}`) }, h("span", { class: "eyebrow", "aria-hidden": "true" }, t(`cards.${group}`)),
      choices.map(([value, label, spoken]) => h("button", { type: "button", class: "pick", value, "aria-pressed": chosen.has(value), "aria-label": spoken || null, onclick: press }, label)));
  }

  #clear() {
    for (const chosen of this.#chosen.values()) chosen.clear();
    this.#words = this.#part.search.value = "";
    for (const button of this.querySelectorAll(".pick")) button.setAttribute("aria-pressed", false);
    this.#show();
    this.#part.search.focus();
  }

  #fits({ card, text }) {
    const { kind, cost, keyword, area } = Object.fromEntries(this.#chosen);
    return (!kind.size || kind.has(kindOf(card))) && (!cost.size || cost.has(String(costOf(card)))) && (!area.size || card.area)
      && [...keyword].every((letter) => card.keywords?.includes(letter)) && this.#words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
  }

  #show() {
    const value = ({ card }) => (this.#order === "name" ? cardName(card) : (card[this.#order] ?? 0)), down = ["attack", "defense"].includes(this.#order);
    const compare = (a, b) => (this.#order === "name" ? value(a).localeCompare(value(b)) : (down ? value(b) - value(a) : value(a) - value(b))) || a.card.number - b.card.number;
    const found = this.#cards.filter((each) => this.#fits(each)).sort(compare), { grid, none, count, clear } = this.#part;
    grid.replaceChildren(...found.map(({ element }) => element));
    none.hidden = found.length > 0;
    clear.hidden = found.length === this.#cards.length;
    count.textContent = t("cards.count", { n: found.length, all: this.#cards.length });
    this.#enter(found[0]?.element);
    this.#write();
  }

  // One card at a time can be reached by Tab; from there, arrow keys go on.
  #enter(element) {
    if (!element) return;
    for (const { element: each } of this.#cards) each.tabIndex = each === element ? 0 : -1;
  }

  #walk(event) {
    const cards = [...this.#part.grid.children], at = cards.indexOf(document.activeElement);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const [{ offsetTop }] = cards, columns = Math.max(1, cards.findIndex((card) => card.offsetTop > offsetTop));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: cards.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    cards[Math.min(Math.max(to, 0), cards.length - 1)].focus();
  }
}

customElements.define("cardrome-cards", CardromeCards);
