// Deck building: the cards on offer and who took which, both decks as they grow, and both as they are in the end.
import { cardElement, cardStrip } from "../cards/card.js";
import { crest } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { h } from "../markup.js";
import { t } from "../words.js";

export const TYPES = [["creature", "claw"], ["green", "plus"], ["red", "dash"], ["blue", "star"]];
const COSTS = 8;

export function deckBuilding(game, n) {
  const frame = game.frames[n], { cards } = game.data, draft = frame.kind === "draft";
  const rounds = game.frames.filter(({ kind }) => kind === "draft");
  const decks = draft ? [0, 1].map((p) => rounds.slice(0, frame.round + 1).map(({ picks }) => picks[p]).filter((card) => card !== null)) : frame.decks;
  const title = draft ? [t("draft.pick", { n: frame.round + 1 }), h("small", {}, t("draft.of", { n: rounds.length }))] : t("moment.decks");
  const [mine, theirs] = decks.map((deck, p) => deckPanel(game, deck.map((index) => cards[index]), p, draft ? cards[frame.picks[p]] : null));
  return h("div", { class: "building" },
    h("h2", {}, title),
    draft ? trail(game, rounds, frame.round) : null,
    h("div", { class: draft ? "decks drafting" : "decks" }, mine, draft ? offer(game, frame) : null, theirs));
}

// One mark for each card of the draft, with the kind that each player took.
const trail = (game, rounds, now) => h("ol", { class: "trail", "aria-hidden": "true" }, rounds.map(({ picks }, i) => h("li", { class: i === now ? "now" : i > now ? "later" : "" },
  [1, 0].map((p) => { const card = game.data.cards[picks[p]]; return h("i", { class: i > now || !card ? "" : card.type }); }))));

function offer(game, { offer: cards, picks }) {
  const shown = cards.length ? cards : [...new Set(picks.filter((card) => card !== null))], left = new Set([0, 1]);
  return h("div", { class: "offer" }, shown.map((index) => {
    // A card may be offered twice in one round, but each pick is shown only once.
    const takers = [0, 1].filter((p) => picks[p] === index && left.delete(p));
    return h("div", { class: takers.length ? "taken" : "" }, cardElement(game.data.cards[index], { size: "l", state: takers.length ? "playable" : "" }),
      h("div", { class: "takers" }, takers.map((p) => h("span", { class: `chip ${p ? "fl" : "az"}` }, crest(game.players[p], 16), h("span", { class: "cut" }, game.players[p])))));
  }));
}

function deckPanel(game, deck, player, taken) {
  return h("section", { class: `deck ${player ? "foe" : "me"}` },
    h("h3", {}, crest(game.players[player], 24), h("span", {}, game.players[player]), h("b", {}, deck.length)),
    manaCurve(deck),
    h("ul", { class: "kinds" }, TYPES.map(([type, sign]) => { const n = deck.filter((card) => card.type === type).length; return h("li", { class: type, title: t(`type.${type}`) }, icon(sign, 11, t(`type.${type}`)), n); })),
    deckStrips(deck, taken));
}

// The cards of a deck in lines, by cost; `taken` is the one that came last.
export function deckStrips(deck, taken) {
  const counts = new Map();
  for (const card of [...deck].sort((a, b) => (a.cost ?? 0) - (b.cost ?? 0) || a.number - b.number)) counts.set(card, (counts.get(card) ?? 0) + 1);
  return h("ul", { class: "strips" }, [...counts].map(([card, n]) => { const strip = cardStrip(card, n, card === taken); strip.card = card; return h("li", {}, strip); }));
}

// How many cards there are of each cost; `more` is a card that may come to them.
export function manaCurve(deck, more = null) {
  const place = (card) => Math.min(card.cost ?? 0, COSTS - 1);
  const columns = Array.from({ length: COSTS }, (_, cost) => deck.filter((card) => place(card) === cost));
  const most = Math.max(4, ...columns.map((column, cost) => column.length + (more && place(more) === cost ? 1 : 0)));
  return h("div", { class: "curvebox", role: "img", "aria-label": t("draft.curve", { counts: columns.map((column) => column.length).join(", ") }) },
    columns.map((column, cost) => {
      const creatures = column.filter((card) => card.type === "creature").length, share = (n) => `calc((100% - 30px) * ${n / most})`, plus = more && place(more) === cost;
      return h("div", {}, h("span", {}, [column.length || null, plus ? "+1" : null].filter(Boolean).join(" ")), plus ? h("i", { class: "more", style: { height: share(1) } }) : null,
        h("i", { class: "items", style: { height: share(column.length - creatures) } }), h("i", { style: { height: share(creatures) } }), h("b", {}, cost === COSTS - 1 ? `${cost}+` : cost));
    }));
}
