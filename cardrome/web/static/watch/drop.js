// A place for a replay file: dropped anywhere on the page, or chosen. The server reads it and says where to watch it.
import { h } from "../markup.js";
import { currentLanguage, t } from "../words.js";

class CardromeDrop extends HTMLElement {
  connectedCallback() {
    this.querySelector("input").addEventListener("change", (event) => this.#send(event.target.files[0]));
    const over = (inside) => this.classList.toggle("over", inside);
    document.addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
    document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) over(false); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      this.#send(event.dataTransfer.files[0]);
    });
  }

  async #send(file) {
    if (!file) return;
    const most = Number(this.getAttribute("megabytes"));
    if (file.size > most * 2 ** 20) return this.#say(t("watch.too-large", { n: most }));
    this.#say(t("watch.reading", { name: file.name }));
    this.classList.add("busy");
    try {
      const query = new URLSearchParams({ name: file.name, language: currentLanguage() });
      const answer = await fetch(`/watch/files?${query}`, { method: "POST", body: file, headers: { Accept: "application/json" } });
      const { address, error, detail } = await answer.json();
      if (address) location.assign(address);
      else this.#say(error, detail);
    } catch {
      this.#say(t("watch.failed"));
    }
    this.classList.remove("busy");
    this.querySelector("input").value = "";  // the same file may be chosen again
  }

  #say(text, detail) {
    this.querySelector(".said").replaceChildren(h("b", {}, text), detail ? h("small", { lang: "en" }, detail) : "");
  }
}

customElements.define("cardrome-drop", CardromeDrop);
