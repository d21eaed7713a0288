// A card in words: its name, what it does, and how it is read aloud.
import { signed } from "../markup.js";
import { t } from "../words.js";

const spell = (card) => t(`spell.${card.spell}`, { n: card.power[0], a: card.power[0], b: card.power[1] });

// Cards without a name are called by kind and number, spells by what they do.
export const cardName = (card) => card.name || (card.spell ? spell(card) : t(`numbered.${card.type}`, { number: card.number ?? 0 }));
export const keywordNames = (letters) => [...letters].map((letter) => t(`keyword.${letter}`)).join(", ");
export const typeLine = (card) => `${t(card.spell ? "type.spell" : `type.${card.type}`)}  ·  ${card.number ?? 0}`;

// The text of a card, line by line.
export function cardLines(card) {
  if (card.spell) return [{ text: spell(card), bold: true }];
  const { type, attack = 0, defense = 0, keywords = "", area = 0, my = 0, foe = 0, draw = 0 } = card, lines = [];
  const say = (key, values) => lines.push({ text: t(key, values) });
  const change = { change: `${signed(attack)}/${signed(defense)}` };
  if (type === "creature") {
    if (keywords) lines.push({ text: keywordNames(keywords), bold: true });
    if (area) say(`area.creature.${area}`);
  } else {
    if (area) lines.push({ text: t(`area.item.${area}`), bold: true });
    if (type === "green") {
      if (attack || defense) say("effect.give", change);
      if (keywords) say("effect.give", { change: keywordNames(keywords) });
    } else {
      if (keywords) say("effect.remove", { change: keywords.length === 6 ? t("effect.all") : keywordNames(keywords) });
      if (defense <= -50) say("effect.destroy");
      else if (attack) say("effect.give", change);
      else if (defense) say("effect.damage", { n: -defense });
    }
  }
  if (card.most) say("effect.health", { n: defense, most: card.most });
  if (card.mana) say("effect.mana", { n: card.mana });
  if (my) say(my > 0 ? "effect.gain" : "effect.lose", { n: Math.abs(my) });
  if (foe) say(foe < 0 ? "effect.hit" : "effect.feed", { n: Math.abs(foe) });
  if (draw) say("effect.draw", { n: draw });
  return lines;
}

// What a card does to players, for sizes without text: an icon, a number, a colour.
export function chips(card) {
  if (card.spell) {
    const [a, b] = card.power;
    return [{
      heal: ["heart", `+${a}`, "#b9ffc9"], damage: ["broken", `−${a}`, "#ffc9b8"], take: ["draw", `+${a}`, "#cfe9ff"],
      buff: ["up", `${a}/${b}`, "#b9ffc9"], deactivate: ["sleep", "", "#cfe9ff"],
    }[card.spell]];
  }
  return [
    card.my && ["heart", signed(card.my), card.my > 0 ? "#ffb3c0" : "#ff8a8a"],
    card.foe && ["broken", signed(card.foe), "#ffc59a"],
    card.draw && ["draw", `+${card.draw}`, "#bfe3ff"],
  ].filter(Boolean);
}

export function spokenCard(card, state) {
  const parts = [cardName(card), t(card.spell ? "type.spell" : `type.${card.type}`), t("spoken.cost", { n: card.cost ?? 0 })];
  if (card.type === "creature") parts.push(t("spoken.strength", { attack: card.attack ?? 0, defense: card.defense ?? 0 }));
  parts.push(...(card.spell ? [] : cardLines(card).map(({ text }) => text)));
  if (state) parts.push(t(`state.${state}`));
  return parts.join(", ");
}
