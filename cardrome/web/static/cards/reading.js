// The reading view: the large card with its keywords explained, on hover, on focus and on tap. Escape closes it.
import { cardElement } from "./card.js";
import { keywordIcon } from "./icons.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const PHONE = matchMedia("(max-width: 719px)");

// `taps`: whether a tap opens it on a phone; where a tap means something else, a long press does.
export function readingView(root, { taps = true } = {}) {
  const view = h("aside", { class: "peek", role: "status", hidden: true });
  document.body.append(view);
  const close = () => { view.hidden = true; };
  const near = (event) => { const found = event.target.closest?.(".card, .strip"); return found?.card ? found : null; };

  function open(element) {
    const { card } = element;
    view.replaceChildren(cardElement(card, { size: "l", as: "div" }),
      card.keywords ? h("ul", { class: "kwhelp" }, [...card.keywords].map((letter) =>
        h("li", {}, keywordIcon(letter, 20, ""), h("span", {}, h("b", {}, t(`keyword.${letter}`)), " ", t(`help.${letter}`))))) : "");
    view.hidden = false;
    if (PHONE.matches) return view.removeAttribute("style");
    const at = element.getBoundingClientRect(), own = view.getBoundingClientRect();
    const x = at.right + 14 + own.width < innerWidth ? at.right + 14 : at.left - 14 - own.width;
    view.style.left = `${Math.max(8, x)}px`;
    view.style.top = `${Math.max(8, Math.min(innerHeight - own.height - 8, at.top + at.height / 2 - own.height / 2))}px`;
  }

  root.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") { const element = near(event); if (element && !element.classList.contains("card-l")) open(element); else close(); } });
  root.addEventListener("focusin", (event) => { const element = near(event); if (element?.matches(":focus-visible")) open(element); });
  root.addEventListener("focusout", close);
  root.addEventListener("click", (event) => { const element = near(event); if (element && taps && PHONE.matches && view.hidden) open(element); else close(); });
  root.addEventListener("contextmenu", (event) => { const element = near(event); if (element && PHONE.matches) { event.preventDefault(); open(element); } });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  return close;
}
