// Matches in little: health bars, a line for each player, and a board of small cards.
import { cardElement } from "../cards/card.js";
import { crest } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { figure, h, nodes } from "../markup.js";
import { t } from "../words.js";

// The first player is azure and below, the second flame and above: as on every board.
const TONES = ["az", "fl"];

export const bar = (health, most, player) =>
  h("span", { class: `bigbar ${TONES[player]}`, "aria-hidden": "true" }, h("i", { style: { width: `${Math.max(0, Math.min(100, (100 * health) / most))}%` } }));

// A match as two lines.
export const lines = ({ players, health }, most) => [1, 0].map((p) => (
  h("span", { class: `tl${health[p] > 0 ? "" : " dead"}` }, crest(players[p], 26), h("bdi", { class: "cut" }, players[p]), bar(health[p], most, p),
    h("b", {}, health[p] > 0 ? health[p] : icon("L", 18, t("live.lost"))))));

// A link to a match, drawn anew: the element itself stays, or a click would be lost in between.
export function link(element, { id, players }, content) {
  element.setAttribute("href", `/live/matches/${id}`);
  element.setAttribute("aria-label", t("live.watch-match", { first: players[0], second: players[1] }));
  element.replaceChildren(...nodes([content]));
  return element;
}

const cards = new Map();  // elements by what they show and where: those that stay the same stay

function creature(place, [thing, attack, defense, , state, most], known) {
  const base = { ...known[thing], defense: most }, card = { ...known[thing], attack, defense, most, keywords: "" };
  const key = JSON.stringify([place, card, state]);
  if (!cards.has(key)) {
    if (cards.size > 2000) cards.clear();
    cards.set(key, cardElement(card, { size: "s", as: "span", base, state, onBoard: true }));
  }
  return cards.get(key);
}

// Both sides of the board; `place` tells boards on one page apart.
export const field = (place, { rows, cards: known }) => h("div", { class: "fld" }, [1, 0].map((p) =>
  h("div", { class: TONES[p] }, rows[p].map((each) => creature(`${place} ${p}`, each, known)))));

const player = ({ players, health, most }, p) => h("div", { class: `vs ${TONES[p]}` }, crest(players[p], 50),
  h("div", {}, h("b", { class: "cut" }, h("bdi", {}, players[p])), bar(health[p], most, p)),
  h("span", { class: "hpx" }, icon("heart", 30, t("live.health")), figure(health[p])));

// A match as a board with its players.
export const picture = (place, match) => [player(match, 1), field(place, match), player(match, 0)];

export const moment = ({ turn, phase, player: mover, outcome }) =>
  (outcome || mover === null || mover === undefined ? t("live.turn", { n: turn }) : `${t("live.turn", { n: turn })} · ${t(`phase.${phase}`)}`);
