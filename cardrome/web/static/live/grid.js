// Running matches as small boards. Those of which nothing has changed stay as they are.
import { defs } from "../cards/card.js";
import { h } from "../markup.js";
import { t } from "../words.js";
import { link, moment, picture } from "./small.js";
import { follow } from "./stream.js";

export class CardromeMatches extends HTMLElement {
  #stop = null;
  #drawn = new WeakMap();

  connectedCallback() {
    const given = JSON.parse(this.querySelector("script").textContent);
    this.replaceChildren(defs(), h("p", { class: "lost", role: "status", hidden: true }, t("live.lost-connection")), h("div", { class: "boards" }));
    this.#take(given);
    this.#stop = follow(this.dataset.events, (news) => this.#take(news), (lost) => { this.querySelector(".lost").hidden = !lost; });
  }

  disconnectedCallback() { this.#stop?.(); }

  #take(matches) {
    const boards = this.querySelector(".boards");
    boards.querySelector("p")?.remove();
    while (boards.children.length > matches.length) boards.lastChild.remove();
    while (boards.children.length < matches.length) boards.append(h("a", { class: "feat small" }));
    matches.forEach((match, i) => {
      const element = boards.children[i], key = JSON.stringify(match);
      if (this.#drawn.get(element) === key) return;
      this.#drawn.set(element, key);
      element.classList.toggle("ended", match.outcome !== null);
      link(element, match, [picture(i, match), h("span", { class: "when" }, match.outcome ? t("live.ended") : moment(match))]);
    });
    if (!matches.length) boards.append(h("p", {}, t("live.no-matches")));
  }
}

customElements.define("cardrome-matches", CardromeMatches);
