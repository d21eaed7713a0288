// What happened, in words: the line of the log for a deed, and chips for what it changed.
import { cardName } from "../cards/words.js";
import { icon } from "../cards/icons.js";
import { figure, h } from "../markup.js";
import { phrase, t } from "../words.js";

const SIGNS = {
  summon: "down", play: "down", attack: "sword", declare: "sword", use: "star", cast: "star", pass: "right", draw: "draw", burn: "burn",
  discard: "dash", tap: "tap", block: "G", finish: "check", time: "live", query: "search", illegal: "lock", fault: "flag", pick: "plus", decks: "deck", turn: "up",
};
const ITEM_SIGNS = { green: "plus", red: "dash", blue: "star" };

// Whether a player is shown below or above.
export const sideOf = (game, player) => (player === game.near ? "me" : "foe");

export const signOf = (game, deed) => (deed.kind === "use" ? ITEM_SIGNS[game.card(deed.actor).type] : SIGNS[deed.kind]);

// The sentence of a deed, a list of strings and elements; names are emphasised.
export function sentence(game, frame) {
  const { deed } = frame, name = (thing) => h("em", {}, cardName(game.card(thing)));
  const values = { actor: deed.actor === undefined ? "" : name(deed.actor) };
  if (deed.target !== undefined) values.target = name(deed.target);
  else if (deed.foe !== undefined) values.target = h("em", {}, game.players[deed.foe]);
  if (deed.kind === "attack" && deed.foe !== undefined && deed.foe === game.data.seat) return phrase("deed.attack-you", values);
  if (deed.kind === "summon" && game.data.lanes > 1) return phrase("deed.summon", { ...values, lane: t(deed.lane ? "lane.to-right" : "lane.to-left") });
  if (deed.kind === "summon") return phrase("deed.play", values);
  if (deed.kind === "use" || deed.kind === "cast") return phrase(values.target ? "deed.use-on" : "deed.use", values);
  if (deed.kind === "illegal") return [h("s", {}, deed.text), " ", t(`illegal.${deed.reason}`)];
  if (deed.kind === "fault") return faultWords(game, deed);
  if (deed.kind === "pick") return picked(game, frame);
  return phrase(`deed.${deed.kind}`, values);
}

const faultWords = (game, { player, fault, reason, text }) => [
  h("em", {}, game.players[player]), ": ", fault, reason ? ` (${reason})` : "", text === undefined ? "" : h("code", {}, text),
];

function picked(game, { picks }) {
  const [first, second] = picks.map((index) => (index === null ? "–" : cardName(game.data.cards[index])));
  return first === second ? phrase("deed.pick-both", { card: h("em", {}, first) })
    : phrase("deed.pick", { first: h("em", { class: sideOf(game, 0) }, first), second: h("em", { class: sideOf(game, 1) }, second) });
}

// What a deed changed, as chips.
export function chipsOf(game, deed) {
  const name = (thing) => cardName(game.card(thing));
  return (deed.changes ?? []).flatMap(([kind, who, ...values]) => {
    if (kind === "dies") return [chip("L", t("change.dies", { name: name(who) }), "bad")];
    if (kind === "health") return [chip(values[1] < values[0] ? "broken" : "heart", `${game.players[who]} ${figure(values[0])} → ${figure(values[1])}`, values[1] < values[0] ? "bad" : "good")];
    if (kind === "rune") return [chip("rune", t("change.rune", { n: values[0] }))];
    if (kind === "draws") return [chip("draw", t("change.draws", { n: values[0] }))];
    if (kind === "mana") return values[1] > values[0] ? [chip("gem", t("change.mana", { n: values[1] - values[0] }), "good")] : [];
    if (kind !== "creature") return [];
    const [attack, attackNow, defense, defenseNow, gained, lost] = values;
    return [
      attack !== attackNow && chip("sword", `${name(who)} ${attack} → ${attackNow}`, attackNow < attack ? "bad" : "good"),
      defense !== defenseNow && chip("G", `${name(who)} ${defense} → ${defenseNow}`, defenseNow < defense ? "bad" : "good"),
      ...[...gained].map((letter) => chip(letter, t("change.gains", { name: name(who), keyword: t(`keyword.${letter}`) }), "good")),
      ...[...lost].map((letter) => chip(letter, t("change.loses", { name: name(who), keyword: t(`keyword.${letter}`) }), "bad")),
    ].filter(Boolean);
  });
}

const chip = (sign, text, tone = "") => h("span", { class: `fxc ${tone}` }, icon(sign, 10), text);

// The bot's own words.
export const sayings = (game, deed) => [...(deed.say ? [[deed.player, deed.say]] : []), ...(deed.says ?? []).map((text, p) => [p, text]).filter(([, text]) => text)]
  .map(([player, text]) => h("q", { class: sideOf(game, player) }, text));

// How the game ended.
export function resultWords(game) {
  const { winner, ending, fault, scores } = game.data.outcome;
  if (winner === null) return t("result.drawn", { a: scores[0], b: scores[1] });
  const names = { winner: game.players[winner], loser: game.players[1 - winner] };
  return fault ? t("result.fault", { ...names, kind: fault.kind }) : t(`result.${ending}`, names);
}
