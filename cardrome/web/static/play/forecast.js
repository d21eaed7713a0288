// What a move would do, as short labels: on creatures ("5/4 → 5/1", dies) and on players ("→ 8", beside what they have).
import { icon } from "../cards/icons.js";
import { chipsOf, sentence } from "../replay/deeds.js";
import { h, signed } from "../markup.js";
import { t } from "../words.js";

// The labels of a move, on creatures by thing and on players by number: [tone, content].
export function labels(move) {
  const things = new Map(), players = new Map(), add = (thing, tone, ...content) => {
    const [before, had] = things.get(thing) ?? ["", []];
    things.set(thing, [tone || before, had.length ? [had, " ", content] : content]);
  };
  for (const [kind, who, ...values] of move.changes ?? []) {
    if (kind === "dies") things.set(who, ["bad", [icon("L", 12), h("span", { class: "dies" }, t("state.dying"))]]);
    else if (kind === "health") players.set(who, values[1] <= 0 ? ["bad", [icon("L", 12), t("play.lethal")]] : [values[1] < values[0] ? "bad" : "ok", [`→ ${values[1]}`]]);
    else if (kind === "creature") {
      const [attack, attackNow, defense, defenseNow, gained, lost] = values;
      if (attack !== attackNow || defense !== defenseNow) add(who, defenseNow < defense ? "" : "ok", h("span", {}, h("span", { class: "hide-phone" }, `${attack}/${defense} `), `→ ${attackNow}/${defenseNow}`));
      for (const letter of gained) add(who, "ok", h("span", {}, "+", icon(letter, 11)));
      for (const letter of lost) add(who, "", h("span", {}, "−", icon(letter, 11)));
    }
  }
  return { things, players };
}

// The label of a move at the creature or lane that it leads to: what happens there, then what else it does to players.
export function summary(move, foe) {
  const own = labels(move).things.get(move.target), parts = [];
  let tone = "ok";
  if (own) { tone = own[0]; parts.push(own[1]); }
  for (const [kind, who, was, now] of move.changes ?? []) {
    if (kind !== "health") continue;
    if (who === foe && now <= 0) { tone = "bad"; parts.push([icon("L", 12), t("play.lethal")]); }
    else parts.push([icon(now < was ? "broken" : "heart", 11), signed(now - was)]);
  }
  if (move.target !== undefined && move.changes?.some(([kind, who]) => kind === "dies" && who === move.actor)) parts.push(h("span", { class: "own" }, icon("L", 12), h("span", { class: "word" }, " ", t("play.yours-dies"))));
  return parts.length ? [tone, parts.flatMap((part, i) => (i ? [" · ", part] : [part]))] : null;
}

const textOf = (parts) => parts.map((part) => (part instanceof Node ? part.textContent : part)).join("");

// A move in words, with all that it would do.
export const told = (game, move) => textOf(sentence(game, { deed: move }));
export const consequences = (game, move) => chipsOf(game, move).map((chip) => chip.textContent).join(", ");
export function spokenMove(game, move) {
  const deed = told(game, move), effects = consequences(game, move);
  return effects ? t("play.spoken", { deed, effects }) : deed;
}
