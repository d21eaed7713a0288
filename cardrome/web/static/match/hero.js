// A player's panel: crest and name, health with its runes, mana, and what else there is to count.
import { crest } from "../cards/crest.js";
import { icon, shape } from "../cards/icons.js";
import { h, signed, svg } from "../markup.js";
import { t } from "../words.js";

const gem = (kind) => svg`<svg viewBox="0 0 16 16" class="${kind}" aria-hidden="true">${shape("gem")}</svg>`;
const GEMS = 12;
const FACTS = [["deck", "deck"], ["hand", "hand"], ["creatures", "claw"], ["draw", "draw"], ["draws", "draw"], ["burns", "burn"]];

// `before` is the health at the step before; the bar shows what was lost.
export function hero({ name, note, near, active, side, before, most, runes, animate }) {
  const { health } = side, change = before === undefined ? 0 : health - before;
  const share = (value) => `${Math.max(0, Math.min(100, (value / Math.max(most, health, before ?? 0)) * 100))}%`;
  const fill = h("div", { class: "fill", style: { width: share(health) } });
  if (animate && change) fill.animate([{ width: share(before) }, { width: share(health) }], { duration: 420, easing: "ease-out" });
  const counts = {
    deck: side.deck, hand: side.hand.length, creatures: runes === null ? Object.values(side.rows).flat().length : undefined,
    draw: side.draw === undefined ? undefined : `+${side.draw}`, draws: side.draws, burns: side.burns,
  };
  return h("section", { class: `hero ${near ? "me" : "foe"}${active ? " active" : ""}${change ? " delta-on" : ""}`, "aria-label": t("hero.spoken", { name, n: health }) },
    h("div", { class: "id" }, crest(name, 44), h("div", { class: "who" }, h("b", {}, name), note ? h("small", {}, note) : null)),
    h("div", { class: "hp" },
      h("span", { class: "big" }, icon("heart", 21), health),
      change ? h("span", { class: `delta${change > 0 ? " up" : ""}` }, signed(change)) : null,
      h("div", { class: "hpbar" },
        h("div", { class: "track" }, fill, change < 0 ? h("div", { class: "lost", style: { left: share(health), width: share(-change) } }) : null),
        (runes ?? []).map((rune) => h("span", {
          class: `runemark${rune > side.rune ? " broken" : rune === side.rune ? " next" : ""}`, style: { left: share(rune) }, title: t("hero.rune", { n: rune }),
        }, svg`<svg viewBox="0 0 16 16" aria-hidden="true">${shape("rune")}</svg>`)))),
    mana(side.mana),
    h("div", { class: "facts" }, FACTS.filter(([key]) => counts[key] !== undefined && counts[key] !== null).map(([key, sign]) =>
      h("span", { title: t(`count.${key}`) }, icon(sign, 12, t(`count.${key}`)), counts[key]))));
}

function mana(given) {
  if (!given) return h("div", { class: "gems" });
  const [left, most] = given;
  const shown = Math.max(most ?? left, left), label = most === undefined ? t("hero.mana", { n: left }) : t("hero.mana-of", { n: left, most });
  return h("div", { class: "gems", title: label }, Array.from({ length: Math.min(shown, GEMS) }, (_, i) => gem(i < left ? "" : "used")),
    h("b", {}, most === undefined ? label : `${left}/${most}`));
}
