// Running matches as small boards. Those of which nothing has changed stay as they are.
import { defs } from "../cards/card.js";
import { h, nodes } from "../markup.js";
import { t } from "../words.js";
import { moment, picture } from "./small.js";
import { follow } from "./stream.js";

export class CardromeMatches extends HTMLElement {
  #stop = null;
  #drawn = new Map();

  connectedCallback() {
    const given = JSON.parse(this.querySelector("script").textContent);
    this.replaceChildren(defs(), h("p", { class: "lost", role: "status", hidden: true }, t("live.lost-connection")), h("div", { class: "boards" }));
    this.#take(given);
    this.#stop = follow(this.dataset.events, (news) => this.#take(news), (lost) => { this.querySelector(".lost").hidden = !lost; });
  }

  disconnectedCallback() { this.#stop?.(); }

  #take(matches) {
    const before = this.#drawn, focused = this.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    this.#drawn = new Map(matches.map((match) => {
      const key = JSON.stringify(match);
      return [key, before.get(key) ?? h("a", { class: `feat small${match.outcome ? " ended" : ""}`, href: `/live/matches/${match.id}`, "aria-label": t("live.watch-match", { first: match.players[0], second: match.players[1] }) },
        picture(match.id, match), h("span", { class: "when" }, match.outcome ? t("live.ended") : moment(match)))];
    }));
    this.querySelector(".boards").replaceChildren(...(matches.length ? this.#drawn.values() : nodes([h("p", {}, t("live.no-matches"))])));
    if (focused) this.querySelector(`a[href="${focused}"]`)?.focus();
  }
}

customElements.define("cardrome-matches", CardromeMatches);
