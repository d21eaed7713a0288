// Pictures for templates: `<cardrome-icon name="sword" size="16">` and `<cardrome-crest name="Greedy" size="24">`.
// Both are decoration beside a text that says the same.
import { crest, crestDefs } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { nodes, picture, svg } from "../markup.js";

function define(tag, draw, size) {
  customElements.define(tag, class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("aria-hidden", "true");
      this.replaceChildren(...nodes([draw(this.getAttribute("name"), Number(this.getAttribute("size") ?? size))]));
    }
  });
}

define("cardrome-icon", icon, 16);
define("cardrome-crest", (name, size) => {
  if (!document.getElementById("cd-crest")) document.body.append(picture(svg`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>${crestDefs}</defs></svg>`));
  return crest(name, size);
}, 24);
