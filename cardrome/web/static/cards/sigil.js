// Sigils: what a card shows in its window. Half a beast, mirrored, the right half darker: that alone gives the look of cut
// metal. The name picks the beast, otherwise the number; the rest is meaning: horns are Breakthrough, wings Charge, red
// eyes and a drop Drain, a shield Guard, acid eyes Lethal, a ring Ward, a crown cost 8 or more, a spike attack 7 or more.
import { EYES, FIELDS, ITEM_FIELDS, METAL, mix } from "./colours.js";
import { hash, svg } from "../markup.js";
import { BEASTS, ITEMS } from "./shapes.js";

export const FAMILIES = Object.keys(BEASTS);
const BY_NAME = [
  [/crab|turta|tortoise|scuttler|shell|stalago|pincher/i, "shell"],
  [/toad|hopper|bounder|lilly|spitter|engulf|sandsplat|chamele|flumpy|gobbler/i, "toad"],
  [/\bowl|crow|beak|plume|swoop|flying c|flailmouth/i, "bird"],
  [/tick|louse|bug|leech|stalker|hedgehog|spine|wickerb/i, "bug"],
  [/rootkin|bush|shroom|chompleaf|sapling|hedge d|woodland|wildum|nut g/i, "root"],
  [/nightmare|skull|ghost|dream|soul|shadow|possessed|abomin/i, "skull"],
  [/troll|giant|hulker|colossus|gargantua|murglord|shambler|guzzler|crusher/i, "troll"],
  [/squid|fish|hammerhead|murgling|eater|puff/i, "squid"],
  [/slim|cyclops|clops|gritsuck|ooze/i, "ooze"],
  [/wurm|saur|scale|terror|sigbovak|slither|lunger/i, "wyrm"],
  [/golem|gargoyle|ash walker|statue/i, "golem"],
];
const METALS_OF = {
  root: ["bone", "copper", "jade"], toad: ["jade", "or", "ice"], skull: ["bone", "argent", "plum"],
  bird: ["argent", "or", "plum", "copper"], shell: ["copper", "rose", "ice", "or"], bug: ["or", "jade", "plum"],
  squid: ["plum", "rose", "ice"], golem: ["argent", "bone", "copper"], wyrm: ["jade", "or", "rose"],
  troll: ["jade", "bone", "copper"], ooze: ["jade", "ice", "plum"], maul: ["or", "argent", "copper", "bone"],
};
const FORMS_BY_NAME = [
  [/helm of|helm$|hat/i, "helm"], [/shield|buckler|ward|wrist|gaunt/i, "shield"], [/cloth|leather|armour$/i, "tunic"],
  [/wings|horns|stinger|light/i, "wings"], [/bread|veg|fruit|grapes|pie/i, "fruit"], [/protein/i, "vial"],
  [/axe|crusher/i, "axe"], [/sword|scimitar|decimate/i, "blade"], [/knife|pierce/i, "knife"], [/staff|ritual/i, "staff"],
  [/shot/i, "arrow"], [/scroll/i, "scroll"], [/tome/i, "tome"], [/sap|drop/i, "drop"], [/potion|vial/i, "flask"],
  [/poison/i, "vial"],
];
const FORMS = {
  green: ["vial", "helm", "shield", "fruit", "tunic", "wings"], red: ["blade", "knife", "axe", "staff", "arrow"],
  blue: ["scroll", "tome", "flask", "drop", "orb"],
};
const SPELL_FORMS = { heal: "vial", damage: "blade", take: "scroll", buff: "helm", deactivate: "orb" };

export const has = (card, keyword) => (card.keywords ?? "").includes(keyword);
const seed = (card) => (card.name ? card.number : `t${card.number}`);

function familyOf(card) {
  if (!card.name) return FAMILIES[hash(`f${card.number}`) % FAMILIES.length];
  const known = BY_NAME.find(([pattern]) => pattern.test(card.name));
  return known ? known[1] : FAMILIES[[0, 0, 7, 10][hash(card.name) % 4]];
}

function formOf(card) {
  if (card.spell) return SPELL_FORMS[card.spell];
  const pool = FORMS[card.type];
  const known = card.name && FORMS_BY_NAME.find(([pattern, form]) => pattern.test(card.name) && pool.includes(form));
  return known ? known[1] : pool[hash(`i${card.number}`) % pool.length];
}

const half = (parts, metal, extra) => parts.map(([tone, path]) =>
  svg`<path d="${path}" fill="${typeof tone === "number" ? metal[tone] : extra[tone]}"/>`);

// Both halves of a shape; `extra` are the colours of its letters.
export function mirrored(parts, metal, extra) {
  const shade = (colour) => mix(colour, "#0a0a14", 0.2);
  const dark = Object.fromEntries(Object.entries(extra).map(([k, v]) => [k, k === "e" || k === "g" ? v : shade(v)]));
  return svg`${half(parts, METAL[metal], extra)}<g transform="matrix(-1 0 0 1 100 0)">${half(parts, METAL[metal].map(shade), dark)}</g>`;
}

function beast(card) {
  const h = hash(`b${seed(card)}`), family = familyOf(card), metals = METALS_OF[family];
  const metal = metals[(h >>> 3) % metals.length];
  const eye = has(card, "L") ? "#b6ff3d" : has(card, "D") ? "#ff4d6d" : EYES[(h >>> 6) % EYES.length];
  const extra = {
    e: eye, w: has(card, "L") ? "#b6ff3d" : "#fffaf0", b: "#f6b73c", g: mix(eye, "#ffffff", 0.6), l: "#5fbf7f", k: "#3d9a62",
    t: "#e0435c", h: "#f3e6c6", i: "#b79a63", o: "#ffd76a", p: "#a86f14", d: "#ff4d6d",
  };
  const size = Math.min(1, 0.84 + (card.cost ?? 0) * 0.016);
  const back = [], front = [];
  if (has(card, "C")) back.push([2, "M30 56C12 58 0 44-4 18 4 27 10 29 14 28 8 22 6 12 7 4 14 17 24 24 36 26z"], [1, "M30 50C17 50 6 40 0 26 8 33 16 34 20 32 15 26 13 20 13 15 20 25 28 30 36 31z"], [3, "M30 46 14 36 34 38z"]);
  if (has(card, "B")) (family === "shell" || family === "bug" ? back : front).push(["h", "M42 22C30 24 18 18 13 2 5 18 13 34 33 35z"], ["i", "M33 35C18 34 10 22 13 2 15 18 24 27 37 28z"]);
  if ((card.attack ?? 0) >= 7 && !has(card, "B")) front.push([0, "M44 20 47 3 50 1V22z"]);
  if ((card.cost ?? 0) >= 8) front.push(["o", "M50 11 34 11 30-3 39 3 43-6 50 1z"], ["p", "M50 11 34 11 33.5 7.5 50 7.5z"]);
  if (has(card, "D")) front.push(["d", "M50 87C50 87 46 93 46 96.5A4 4 0 0 0 50 100.5z"]);
  return svg`<g transform="translate(50 51) scale(${size.toFixed(3)}) translate(-50 -50)">${mirrored(back, metal, extra)}${mirrored(BEASTS[family], metal, extra)}${family === "ooze" && oneEye(card, eye)}${mirrored(front, metal, extra)}</g>`;
}

const oneEye = (card, eye) => svg`<circle cx="50" cy="43" r="16.5" fill="#fff"/><circle cx="50" cy="44" r="10" fill="${eye}"/><circle cx="50" cy="44" r="4.6" fill="#141018"/><circle cx="46" cy="39" r="2.6" fill="#fff"/>${/multi/i.test(card.name ?? "") && svg`<circle cx="28" cy="30" r="6" fill="#fff"/><circle cx="28" cy="30" r="3" fill="#141018"/><circle cx="72" cy="30" r="6" fill="#eee"/><circle cx="72" cy="30" r="3" fill="#141018"/>`}`;

function item(card) {
  const [metal, parts, turn = 0] = ITEMS[formOf(card)], glow = { green: "#6ee787", red: "#ff5a5f", blue: "#5cc8ff" }[card.type];
  return svg`<g transform="translate(50 51) rotate(${turn}) scale(.86) translate(-50 -48)">${mirrored(parts, metal, { e: glow, g: mix(glow, "#ffffff", 0.65) })}</g>`;
}

// The field behind the charge

const count = (n, draw) => Array.from({ length: n }, (_, i) => draw(i));
const ray = (angle) => `${(50 + 110 * Math.cos(angle * Math.PI / 8)).toFixed(1)} ${(52 + 110 * Math.sin(angle * Math.PI / 8)).toFixed(1)}`;
const PATTERNS = [
  () => count(16, (i) => svg`<path d="M50 52 ${ray(i)} ${ray(i + 0.5)}z"/>`),
  () => count(7, (i) => svg`<path d="M-40 ${i * 26 - 20} 50 ${i * 26 - 60} 140 ${i * 26 - 20}V${i * 26 - 8}L50 ${i * 26 - 48} -40 ${i * 26 - 8}z"/>`),
  () => count(9, (i) => svg`<path d="M${i * 28 - 80} -30h14l-90 160h-14z"/>`),
  () => count(30, (i) => { const x = (i % 6) * 22 - 5 + (Math.floor(i / 6) % 2) * 11, y = Math.floor(i / 6) * 26; return svg`<path d="M${x} ${y - 11} ${x + 8} ${y} ${x} ${y + 11} ${x - 8} ${y}z"/>`; }),
  () => count(6, (i) => svg`<path d="M-20 ${i * 24}q15-11 30 0t30 0 30 0 30 0 30 0v9q-15-11-30 0t-30 0-30 0-30 0-30 0z"/>`),
  () => svg`<circle cx="50" cy="52" r="46"/><circle cx="50" cy="52" r="34"/><circle cx="50" cy="52" r="22"/>`,
];
const RING = svg`<circle cx="50" cy="50" r="47" fill="none" stroke="#bff3ff" stroke-opacity=".55" stroke-width="1.5"/><circle cx="50" cy="50" r="43" fill="none" stroke="#bff3ff" stroke-opacity=".4" stroke-width="4" stroke-dasharray="2 6"/>`;
const SHIELD = svg`<path d="M50 0 10 7V46C10 74 26 92 50 104 74 92 90 74 90 46V7z" fill="#fff" fill-opacity=".1" stroke="#e8eef5" stroke-opacity=".5" stroke-width="2"/>`;

// The field a card stands on: the number of a gradient of `defs`, and its colours.
export function fieldOf(card) {
  if (ITEM_FIELDS[card.type]) return [card.type, ITEM_FIELDS[card.type]];
  const n = hash(`p${seed(card)}`) % FIELDS.length;
  return [n, FIELDS[n]];
}

// A card's picture in a box of the given size, cut by a clip path of `defs`.
export function art(card, [x, y, w, h], clip) {
  const [field, colours] = fieldOf(card), creature = card.type === "creature", k = Math.min(w, h) / (creature ? 106 : 96);
  const pattern = PATTERNS[(hash(`p${seed(card)}`) >>> 4) % PATTERNS.length]();
  return svg`<g clip-path="url(#${clip})"><rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${colours[1]}"/><ellipse cx="${x + w / 2}" cy="${y + h * 0.46}" rx="${w * 0.72}" ry="${h * 0.7}" fill="url(#cd-g-${field})"/><g transform="translate(${(x + w / 2 - 50 * k).toFixed(2)} ${(y + h / 2 - 52.5 * k).toFixed(2)}) scale(${k.toFixed(4)})"><g fill="#fff" fill-opacity=".055">${pattern}</g>${creature && has(card, "G") && SHIELD}${creature && has(card, "W") && RING}<g filter="url(#cd-lift)">${creature ? beast(card) : item(card)}</g></g></g>`;
}
