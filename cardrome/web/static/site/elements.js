// Pictures for templates: `<cardrome-icon name="sword" size="16">` and `<cardrome-crest name="Greedy" size="24">`.
// Both are decoration beside a text that says the same.
import { defs } from "../cards/card.js";
import { crest } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { nodes } from "../markup.js";

function define(tag, draw, size) {
  customElements.define(tag, class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("aria-hidden", "true");
      this.replaceChildren(...nodes([draw(this.getAttribute("name"), Number(this.getAttribute("size") ?? size))]));
    }
  });
}

document.body.prepend(defs());  // what crests, and cards anywhere on the page, refer to
define("cardrome-icon", icon, 16);
define("cardrome-crest", crest, 24);
