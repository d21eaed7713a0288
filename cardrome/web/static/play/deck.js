// The person's deck as it grows: curve, kinds, keywords, cards.
import { icon, KEYWORD_COLOURS, keywordIcon } from "../cards/icons.js";
import { deckStrips, manaCurve, TYPES } from "../match/decks.js";
import { h } from "../markup.js";
import { t } from "../words.js";

export const KEYWORDS = Object.keys(KEYWORD_COLOURS);

// What a player has chosen so far, in order.
export const chosenCards = (game, now) => game.frames.slice(0, game.frames.indexOf(now) + 1).filter(({ kind, picks }) => kind === "draft" && picks[game.near] !== null)
  .map(({ picks }) => game.data.cards[picks[game.near]]);

export const deckTitle = (game, deck) => h("h2", {}, t("play.deck"), h("b", {}, deck.length, h("small", {}, ` / ${game.data.deck_size}`)));

// `more` is the card that is looked at, `latest` the one chosen last.
export const deckFigures = (deck, more = null) => [
  manaCurve(deck, more),
  h("ul", { class: "mix" }, TYPES.map(([type, sign]) => h("li", { class: type }, deck.filter((card) => card.type === type).length, h("small", {}, icon(sign, 9), t(`play.short.${type}`))))),
  h("ul", { class: "kwn" }, KEYWORDS.map((letter) => {
    const n = deck.filter((card) => card.type === "creature" && (card.keywords ?? "").includes(letter)).length;
    return h("li", { class: n ? "" : "z", title: t(`keyword.${letter}`) }, keywordIcon(letter, 18, t(`keyword.${letter}`)), n);
  })),
];

export const deckList = (deck) => deckStrips(deck, deck.at(-1));
