// A player's panel: crest and name, health with its runes, mana, and what else there is to count.
import { crest } from "../cards/crest.js";
import { icon, shape } from "../cards/icons.js";
import { figure, h, signed, svg } from "../markup.js";
import { t } from "../words.js";

const gem = (kind) => svg`<svg viewBox="0 0 16 16" class="${kind}" aria-hidden="true">${shape("gem")}</svg>`;
const GEMS = 12;
const held = ({ hand }) => (Array.isArray(hand) ? hand.length : hand);  // of a hidden hand only the number is known
const FACTS = [["deck", "deck"], ["hand", "hand"], ["creatures", "claw"], ["draw", "draw"], ["draws", "draw"], ["burns", "burn"]];

// Both players and the turn between them; the near player stands below. `before` is the frame before, if it is a battle's.
export function rail(game, frame, before, animate) {
  const { data } = game, panel = (p) => hero({
    player: p, name: game.players[p], note: t(p ? "hero.second" : "hero.first"), near: p === game.near, active: frame.player === p, side: frame.sides[p],
    before: before?.sides[p].health, most: data.health, runes: data.slots ? data.runes : null, animate,
  });
  return [panel(1 - game.near), turnMark(game, frame), panel(game.near)];
}

function turnMark(game, { turn, left, player, phase }) {
  const near = player === game.near;
  return h("div", { class: "turnmark" }, h("span", { class: "eyebrow" }, t("turn.title")), h("b", {}, turn),
    left === undefined ? null : h("span", { class: "muted" }, t("turn.left", { n: left })),
    player === null ? null : h("span", { class: `chip ${near ? "az" : "fl"}` }, icon(near ? "up" : "down", 9), h("span", { class: "cut" }, player === game.data.seat ? t("turn.yours") : t("turn.moves", { name: game.players[player] }))),
    phase && player !== null ? h("span", { class: "chip" }, t(`phase.${phase}`)) : null);
}

// `before` is the health at the step before; the bar shows what was lost.
export function hero({ player, name, note, near, active, side, before, most, runes, animate }) {
  const { health } = side, change = before === undefined ? 0 : health - before;
  const share = (value) => `${Math.max(0, Math.min(100, (value / Math.max(most, health, before ?? 0)) * 100))}%`;
  const fill = h("div", { class: "fill", style: { width: share(health) } });
  if (animate && change) fill.animate([{ width: share(before) }, { width: share(health) }], { duration: 420, easing: "ease-out" });
  const counts = {
    deck: side.deck, hand: held(side), creatures: runes === null ? Object.values(side.rows).flat().length : undefined,
    draw: side.draw === undefined ? undefined : `+${side.draw}`, draws: side.draws, burns: side.burns,
  };
  return h("section", { "data-player": player, class: `hero ${near ? "me" : "foe"}${active ? " active" : ""}${change ? " delta-on" : ""}`, "aria-label": t("hero.spoken", { name, n: figure(health) }) },
    h("div", { class: "id" }, crest(name, 44), h("div", { class: "who" }, h("b", {}, name), note ? h("small", {}, note) : null)),
    h("div", { class: "hp" },
      h("span", { class: "big" }, icon("heart", 21), figure(health)),
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
