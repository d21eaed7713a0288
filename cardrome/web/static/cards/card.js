// The one drawing of a card, for every page and size: x (a board on a phone), s (a hand), m (a board), l (to read).
// Type is told by the window and the frame, Guard by a steel plate, Ward by a ring; nothing is told by colour alone.
import { cardLines, cardName, chips, spokenCard, typeLine } from "./words.js";
import { FIELDS, FRAMES, ITEM_FIELDS, mix } from "./colours.js";
import { crestDefs } from "./crest.js";
import { disc, icon, shape } from "./icons.js";
import { h, picture, signed, svg } from "../markup.js";
import { art, has } from "./sigil.js";
import { currentLanguage } from "../words.js";

const SIZES = {
  x: { W: 60, H: 84, r: 5, frame: 3, art: [4, 4, 52, 62], name: null, cost: [9, 9, 8.5, 11], badge: 13, plate: 12, num: 14.5, chip: 75 },
  s: { W: 88, H: 122, r: 7, frame: 4, art: [6, 6, 76, 74], name: [76, 21, 9.2, 2], cost: [13, 13, 12, 15], badge: 15, plate: 12.5, num: 15, chip: 108 },
  m: { W: 112, H: 144, r: 8, frame: 4.5, art: [7, 7, 98, 93], name: [96, 19, 10.5, 1], cost: [14, 14, 11.5, 14], badge: 17, plate: 16, num: 20, chip: 129 },
  l: { W: 240, H: 336, r: 15, frame: 8, art: [14, 14, 212, 170], name: [176, 32, 17.5, 1], cost: [31, 31, 24, 30], badge: 27, plate: 26, num: 32, text: [214, 84] },
};
const TYPE_ICON = { creature: "claw", green: "plus", red: "dash", blue: "star" };
const keywordsOf = (card) => [...(card.keywords ?? "")];

function windowPath(type, [x, y, w, h]) {
  const r = w * 0.09;
  if (type === "creature") return `M${x} ${y + h}V${y + h * 0.2}Q${x} ${y} ${x + w * 0.22} ${y}H${x + w * 0.78}Q${x + w} ${y} ${x + w} ${y + h * 0.2}V${y + h}z`;
  if (type === "green") return `M${x} ${y + h}V${y + r * 2.4}L${x + r * 2.4} ${y}H${x + w - r * 2.4}L${x + w} ${y + r * 2.4}V${y + h}z`;
  if (type === "red") return `M${x} ${y + h}V${y + h * 0.24}L${x + w / 2} ${y}L${x + w} ${y + h * 0.24}V${y + h}z`;
  return `M${x} ${y + h}V${y + h * 0.42}A${w / 2} ${h * 0.42} 0 0 1 ${x + w} ${y + h * 0.42}V${y + h}z`;
}

const hexagon = (x, y, r) => Array.from({ length: 6 }, (_, i) => `${(x + r * Math.sin(i * Math.PI / 3)).toFixed(1)} ${(y - r * 1.06 * Math.cos(i * Math.PI / 3)).toFixed(1)}`).join(" ");
const number = (x, y, text, size, fill = "#fff") => svg`<text class="cd-num" x="${x}" y="${(y + size * 0.355).toFixed(2)}" font-size="${text.length > 2 ? size * 0.8 : size}" fill="${fill}" stroke="#0b0e12" stroke-width="${(size * 0.2).toFixed(2)}" paint-order="stroke" stroke-linejoin="round" text-anchor="middle">${text}</text>`;
const gem = (x, y, r, cost, size, W) => svg`<polygon points="${hexagon(x, y, r)}" fill="url(#cd-gem)" stroke="#06203f" stroke-width="${Math.max(1, W * 0.012)}"/><polygon points="${hexagon(x, y, r * 0.78)}" fill="none" stroke="#d6f2ff" stroke-opacity=".55" stroke-width=".8"/>${number(x, y, String(cost), size)}`;

// A name in one or two lines, and the size at which it fits.
function fitted(name, room, size, lines) {
  if (name.length * size * 0.53 <= room) return [[name], size];
  if (lines > 1 && name.includes(" ")) {
    const words = name.split(" ");
    const cuts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
    const longest = (cut) => Math.max(...cut.map((line) => line.length));
    const best = cuts.reduce((a, b) => (longest(b) < longest(a) ? b : a));
    return [best, Math.min(size, room / (longest(best) * 0.53))];
  }
  return [[name], Math.max(size * 0.72, room / (name.length * 0.53))];
}

function wrapped({ text, bold }, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => ({ text: line, bold }));
}

// The parts of a card, from the back to the front

function guardPlate({ W, H }) {
  const k = W * 0.04, p = W * 0.085;
  return svg`<path d="M${-k} ${-k * 0.6}L${W / 2} ${-k * 1.7} ${W + k} ${-k * 0.6}V${H - p}L${W / 2} ${H + p * 1.15} ${-k} ${H - p}z" fill="url(#cd-steel)" stroke="#1d2831" stroke-width="${W * 0.012}" stroke-linejoin="round"/>`;
}

function frame(card, size, g) {
  const { W, H } = g, f = FRAMES[card.type], [x, y, w, ah] = g.art, clip = `cd-w-${card.type}-${size}`, path = windowPath(card.type, g.art);
  return svg`<rect x=".5" y=".5" width="${W - 1}" height="${H - 1}" rx="${g.r}" fill="url(#cd-f-${card.type})" stroke="${f[3]}" stroke-width="1"/><rect x="${g.frame}" y="${g.frame}" width="${W - 2 * g.frame}" height="${H - 2 * g.frame}" rx="${g.r * 0.7}" fill="${f[3]}" stroke="#000" stroke-opacity=".45" stroke-width=".8"/><g fill="none" stroke="${f[1]}" stroke-width="${Math.max(0.7, W * 0.007)}" opacity=".8"><path d="M${g.frame + 2} ${y + ah * 0.2}V${g.frame + 2}H${x + w * 0.2}M${W - g.frame - 2} ${y + ah * 0.2}V${g.frame + 2}H${W - x - w * 0.2}"/></g>${art(card, g.art, clip)}<path d="${path}" fill="none" stroke="${f[0]}" stroke-opacity=".75" stroke-width="${Math.max(0.9, W * 0.01)}"/>${card.type === "creature" && has(card, "W") && svg`<path d="${path}" fill="url(#cd-sheen)"/>`}`;
}

function ribbon(card, size, g) {
  const [y, height, wanted, lines] = g.name, large = size === "l", x0 = g.frame - (large ? 4 : 1.5), x1 = g.W - x0;
  const [texts, fs] = fitted(cardName(card), g.W - g.frame * 2 - 8, wanted, lines);
  return svg`<path d="M${x0} ${y}H${x1}V${y + height}L${g.W / 2} ${y + height + (large ? 4 : 2)} ${x0} ${y + height}z" fill="url(#cd-n-${card.type})" stroke="${FRAMES[card.type][0]}" stroke-opacity=".55" stroke-width=".8"/>${texts.map((text, i) => svg`<text class="cd-name" x="${g.W / 2}" y="${(y + height / 2 + fs * 0.36 + (i - (texts.length - 1) / 2) * fs * 1.04 + (large ? 1 : 0.6)).toFixed(2)}" font-size="${fs.toFixed(2)}" text-anchor="middle" fill="#fff">${text}</text>`)}`;
}

function textBox(card, g) {
  const [y, whole] = g.text, f = FRAMES[card.type], lines = cardLines(card).flatMap((line) => wrapped(line, 29));
  const height = lines.length > 3 ? whole - 16 : whole;  // many lines end above attack and defense
  const step = Math.min(19, (height - 10) / Math.max(lines.length, 1)), fs = Math.min(14.5, step * 0.86);
  const first = y + height / 2 - (lines.length - 1) * step / 2 + fs * 0.34;
  const empty = svg`<g fill="${f[2]}" fill-opacity=".28" transform="translate(${g.W / 2 - 14} ${y + height / 2 - 14}) scale(1.75)">${shape(TYPE_ICON[card.type])}</g>`;
  return svg`<path d="M${g.frame + 5} ${y}H${g.W - g.frame - 5}V${y + whole}H${g.frame + 5}z" fill="url(#cd-paper)" stroke="${f[2]}" stroke-width="1.5"/>${!lines.length && empty}${lines.map((line, i) => svg`<text class="cd-text" x="${g.W / 2}" y="${(first + i * step).toFixed(1)}" font-size="${(fs * Math.min(1, 200 / (line.text.length * fs * 0.5))).toFixed(1)}" text-anchor="middle" font-weight="${line.bold ? 700 : 400}" fill="#2a2014">${line.text}</text>`)}<text class="cd-type" x="${g.W / 2}" y="${g.H - 17}" font-size="11.5" text-anchor="middle" fill="${f[0]}">${typeLine(card).toUpperCase()}</text>`;
}

// Attack is the point of a blade, defense a shield; those of items are changes.
function plates(card, base, size, g) {
  const { W, H, plate: p } = g, creature = card.type === "creature", attack = card.attack ?? 0, defense = card.defense ?? 0;
  const y = plateTop(size, g), left = p * (size === "l" ? 1.2 : 1.06), right = W - left, line = Math.max(1, W * 0.012);
  const hue = (now, was) => (!creature || now === was ? "#fff" : now < was ? "#ffb09c" : "#b9ffc9");
  const text = (value) => (creature ? String(value) : value <= -99 ? "∞" : signed(value));
  const fs = creature ? g.num : g.num * 0.86, printed = base.defense ?? 0;
  return [
    (creature || attack !== 0) && svg`<path d="M${left} ${y - p}L${left + p} ${y - p * 0.15} ${left + p * 0.5} ${y + p} ${left - p * 0.5} ${y + p} ${left - p} ${y - p * 0.15}z" fill="url(#cd-atk)" stroke="#3a1c02" stroke-width="${line}" stroke-linejoin="round"/>${number(left, y + p * 0.1, text(attack), fs, hue(attack, base.attack ?? 0))}`,
    (creature || defense !== 0) && svg`<path d="M${right - p} ${y - p}H${right + p}V${y + p * 0.1}Q${right + p} ${y + p * 0.75} ${right} ${y + p * 1.12}Q${right - p} ${y + p * 0.75} ${right - p} ${y + p * 0.1}z" fill="url(#cd-def)" stroke="#131c24" stroke-width="${line}" stroke-linejoin="round"/>${number(right, y - p * 0.06, text(defense), fs, hue(defense, printed))}`,
    creature && defense < printed && svg`<path d="M${right + p * 0.35} ${y - p * 1.05}l${p * 0.36} ${p * 0.4} -${p * 0.28} ${p * 0.26} ${p * 0.4} ${p * 0.5}" fill="none" stroke="#131c24" stroke-width="${W * 0.014}"/>`,
    creature && defense > printed && svg`<path d="M${right - 4} ${y - p - 1}l4-5 4 5z" fill="#b9ffc9" stroke="#131c24" stroke-width=".8"/>`,
  ];
}

const plateTop = (size, g) => g.H - g.plate * (size === "l" ? 1.12 : 0.98);

// What a card does to players, at sizes without text: icon and number.
function effectChips(card, size, g, plated) {
  const creature = card.type === "creature", sign = (k) => svg`<g transform="translate(${g.W / 2 - 8 * k} ${g.chip - 8 * k - 1}) scale(${k})" fill="${FRAMES[card.type][0]}" opacity=".85">${shape(TYPE_ICON[card.type])}</g>`;
  if (size === "x" && plated) return !creature && sign(0.5);
  const found = chips(card), fs = size === "s" || size === "x" ? (card.spell ? 12 : 9.5) : 11;
  const width = fs * (card.spell ? 1.25 + 0.52 * (found[0]?.[1].length ?? 0) : 2.45), over = found.length > 1 && plated;
  const x0 = g.W / 2 - found.length * width / 2, y0 = over ? g.name[0] - fs * 1.2 : g.chip - fs * 0.5;
  return [
    over && svg`<rect x="${x0 - 3}" y="${y0 - 2}" width="${found.length * width + 4}" height="${fs + 4}" rx="${fs * 0.6}" fill="#0b0f14" fill-opacity=".88"/>`,
    found.map(([name, text, colour], i) => svg`<g transform="translate(${(x0 + i * width).toFixed(1)} ${y0})" fill="${colour}"><g transform="scale(${fs / 16})">${shape(name)}</g><text class="cd-num" x="${fs * 1.06}" y="${fs * 0.86}" font-size="${fs}">${text}</text></g>`),
    (!found.length || over) && !creature && sign(0.75),
  ];
}

function discs(card, size, g) {
  const { W, badge: b } = g, creature = card.type === "creature", keywords = keywordsOf(card);
  if (keywords.length === 6 && !creature && size !== "l") {
    return svg`<g transform="translate(${W - b * 0.62} ${b * 0.8})"><circle r="${b * 0.56}" fill="#1b1420" stroke="#fff" stroke-width="1"/><text class="cd-num" y="${b * 0.2}" font-size="${b * 0.56}" text-anchor="middle" fill="#fff">×6</text></g>`;
  }
  const room = plateTop(size, g) - g.plate - b * 0.7, column = keywords.length * b * 0.98 > room ? Math.ceil(keywords.length / 2) : keywords.length;
  const step = Math.min(b * 1.12, room / column), top = b * 0.72 + (size === "l" ? 6 : size === "x" ? 0 : 2);
  return keywords.map((keyword, i) => disc(keyword, W - b * 0.62 - Math.floor(i / column) * b * 1.08, top + (i % column) * step, b, card.type === "red"));
}

function areaTab(card, size, g) {
  const k = size === "l" ? 1.5 : size === "x" ? 0.62 : 0.82, w = 34 * k, height = 17 * k;
  return svg`<g transform="translate(${g.W / 2 - w / 2} ${-height * 0.32})"><path d="M0 0H${w}V${height * 0.62}L${w / 2} ${height * 1.15} 0 ${height * 0.62}z" fill="#101418" stroke="#ffe08a" stroke-width="1.1"/><g transform="translate(${w / 2 - 6 * k} ${2.2 * k}) scale(${0.75 * k})" fill="#ffe08a">${shape(`area${card.area}`)}</g></g>`;
}

// The mana that a creature of Tapdeck gives.
function manaDisc(card, size, g) {
  const r = g.badge * 0.72, x = g.W - r - (size === "l" ? 8 : 2), y = r + (size === "l" ? 8 : 2);
  return svg`<circle cx="${x}" cy="${y}" r="${r}" fill="#0b3a55" stroke="#7fd8ff" stroke-width="1.3"/><g transform="translate(${x - r * 0.98} ${y - r * 0.52}) scale(${r / 16})" fill="#7fd8ff">${shape("tap")}</g>${number(x + r * 0.4, y + r * 0.05, String(card.mana), r * 1.1)}`;
}

const wardRing = ({ W, H, r }) => svg`<rect class="cd-ward" x="${-W * 0.018}" y="${-W * 0.018}" width="${W * 1.036}" height="${H + W * 0.036}" rx="${r * 1.4}" fill="none" stroke="#d5f7ff" stroke-width="${W * 0.018}"/><rect class="cd-ward" x="${-W * 0.044}" y="${-W * 0.044}" width="${W * 1.088}" height="${H + W * 0.088}" rx="${r * 1.8}" fill="none" stroke="#35aedb" stroke-width="${W * 0.022}" stroke-dasharray="${W * 0.02} ${W * 0.05}" stroke-linecap="round"/>`;

const faces = new Map();  // pictures by what they show: making one takes longer than copying it

function face(card, base, size, onBoard) {
  const key = JSON.stringify([card, base.attack, base.defense, size, onBoard, currentLanguage()]);
  if (!faces.has(key)) faces.set(key, picture(drawn(card, base, size, onBoard)));
  return faces.get(key).cloneNode(true);
}

function drawn(card, base, size, onBoard) {
  const g = SIZES[size], creature = card.type === "creature", plated = Boolean(!card.spell && (creature || card.attack || card.defense));
  return svg`<svg viewBox="0 0 ${g.W} ${g.H}" aria-hidden="true">${creature && has(card, "G") && guardPlate(g)}${frame(card, size, g)}${g.name && ribbon(card, size, g)}${g.text ? textBox(card, g) : null}${!(onBoard && size === "x") && gem(...g.cost.slice(0, 3), card.cost ?? 0, g.cost[3], g.W)}${plated && plates(card, base, size, g)}${g.chip > 0 && effectChips(card, size, g, plated)}${discs(card, size, g)}${card.area > 0 && areaTab(card, size, g)}${card.mana > 0 && manaDisc(card, size, g)}${creature && has(card, "W") && wardRing(g)}</svg>`;
}

const STAR = Array.from({ length: 24 }, (_, i) => { const r = i % 2 ? 15 : 20.5, a = i * Math.PI / 12; return `${(22 + r * Math.sin(a)).toFixed(1)} ${(22 - r * Math.cos(a)).toFixed(1)}`; }).join(" ");
const CRACKS = svg`<svg class="cracks" viewBox="0 0 100 130" preserveAspectRatio="none" aria-hidden="true"><path d="M52 0 46 22 58 34 44 52 60 66 50 84 58 104 48 130M46 22 18 36 0 32M44 52 22 66 8 90 0 94M60 66 82 58 100 70M50 84 30 102 24 130M58 104 84 112 100 108"/></svg>`;
const FLAGS = { sick: ["sleep", 12], spent: ["check", 11], tapped: ["tap", 12] };

// How much a creature was hurt or healed: a star with minus, a round with plus.
export const burst = (amount) => svg`<svg class="burst ${amount > 0 ? "heal" : "hit"}" viewBox="0 0 44 44" aria-hidden="true">${amount > 0 ? svg`<circle cx="22" cy="22" r="18"/>` : svg`<polygon points="${STAR}"/>`}<text class="cd-num" x="22" y="29" text-anchor="middle" font-size="20">${signed(amount)}</text></svg>`;

// A card as an element. `as`: the tag, a button unless it is only a picture; `base`: the printed card, to mark changed
// numbers; `state`: ready, sick, spent, tapped, dying, attacking, blocked, playable; `hurt`: the star; `last`: the ring of
// the last action; `thing`: what actions call it.
export function cardElement(card, { size = "m", as = "button", base = card, state = "", hurt = 0, last = false, onBoard = false, thing = null, motion = "" } = {}) {
  const classes = ["card", `card-${size}`, state && `is-${state}`, last && "is-last", motion && `m-${motion}`].filter(Boolean).join(" ");
  const attributes = { class: classes, "aria-label": spokenCard(card, state), "data-thing": thing };
  const element = h(as, as === "button" ? { ...attributes, type: "button" } : { ...attributes, role: "img" }, face(card, base, size, onBoard));
  if (FLAGS[state]) element.append(h("span", { class: `flagline ${state}` }, icon(...FLAGS[state])));
  if (state === "ready") element.append(h("span", { class: "readytab" }, icon("up", 10)));
  if (state === "dying") element.append(picture(CRACKS));
  if (hurt) element.append(picture(burst(hurt)));
  element.card = card;  // what the reading view shows
  element.spoken = attributes["aria-label"];
  return element;
}

export const cardBack = (label) => h("div", { class: "card card-back", role: "img", "aria-label": label }, svg`<svg viewBox="0 0 88 122" aria-hidden="true"><rect x=".5" y=".5" width="87" height="121" rx="7" fill="#c9a45a" stroke="#2a1d0d"/><rect x="4" y="4" width="80" height="114" rx="5" fill="url(#cd-back)" stroke="#0a1422"/><g fill="none" stroke="#c9a45a" stroke-opacity=".75"><rect x="18" y="20" width="52" height="82" rx="26" stroke-width="1.6"/><rect x="25" y="29" width="38" height="64" rx="19" stroke-width="1"/><path d="M44 20V29M44 93V102M18 61H25M63 61H70" stroke-width="1.6"/></g><path d="M44 46 54 61 44 76 34 61z" fill="#c9a45a"/><path d="M44 46V76L34 61z" fill="#8a6b2f"/></svg>`);

// One line of a deck list: gem, name, a slice of the picture, keywords, strength, how many.
export function cardStrip(card, count, isNew) {
  const creature = card.type === "creature", keywords = keywordsOf(card);
  return h("button", { type: "button", class: `strip${isNew ? " new" : ""}`, "aria-label": `${count > 1 ? `${count} × ` : ""}${spokenCard(card, "")}` },
    svg`<svg class="sart" viewBox="0 16 100 52" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><rect x="-200" width="500" height="100" fill="${ITEM_FIELDS[card.type]?.[1] ?? "#2a1d0d"}"/>${art(card, [0, -10, 100, 112], "cd-strip")}</svg>`,
    svg`<svg class="sgem" viewBox="0 0 24 26" aria-hidden="true">${gem(12, 13, 11.5, card.cost ?? 0, 15, 80)}</svg>`,
    h("span", { class: "sname" }, cardName(card)),
    h("span", { class: "skw" }, keywords.length === 6 && !creature ? null : keywords.map((k) => svg`<svg width="15" height="15" viewBox="-10 -10 20 20" aria-hidden="true">${disc(k, 0, 0, 16.6)}</svg>`)),
    h("span", { class: "sst" }, creature ? `${card.attack ?? 0}/${card.defense ?? 0}` : icon(TYPE_ICON[card.type], 11)),
    count > 1 ? h("span", { class: "sn" }, `×${count}`) : null);
}

// Gradients, windows and shadows that all pictures share: once in a document.
export function defs() {
  const stops = (list) => list.map(([offset, colour, opacity = 1]) => svg`<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`);
  const slanted = (id, list) => svg`<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1">${stops(list)}</linearGradient>`;
  const upright = (id, list) => svg`<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops(list)}</linearGradient>`;
  const made = svg`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>${[
    Object.entries(FRAMES).map(([type, f]) => [
      slanted(`cd-f-${type}`, [[0, f[0]], [0.28, f[1]], [0.62, f[2]], [0.85, f[1]], [1, f[2]]]),
      upright(`cd-n-${type}`, [[0, f[1]], [0.12, f[2]], [1, f[3]]]),
      Object.entries(SIZES).map(([size, g]) => svg`<clipPath id="cd-w-${type}-${size}"><path d="${windowPath(type, g.art)}"/></clipPath>`),
    ]),
    [...FIELDS.entries(), ...Object.entries(ITEM_FIELDS)].map(([k, [light, dark]]) => svg`<radialGradient id="cd-g-${k}"><stop offset="0" stop-color="${mix(light, "#ffffff", 0.22)}"/><stop offset=".45" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></radialGradient>`),
    upright("cd-gem", [[0, "#a9e6ff"], [0.45, "#2f8fe0"], [1, "#0c3f86"]]),
    upright("cd-atk", [[0, "#ffe2a0"], [0.4, "#e08a1e"], [1, "#8a3f06"]]),
    upright("cd-def", [[0, "#f4f8fb"], [0.45, "#93a9bb"], [1, "#41566a"]]),
    slanted("cd-steel", [[0, "#f7fafc"], [0.3, "#9fb0be"], [0.55, "#e6edf2"], [0.8, "#6d7f8e"], [1, "#c2ced8"]]),
    upright("cd-paper", [[0, "#f8f0dc"], [1, "#e7d8b5"]]),
    slanted("cd-sheen", [[0, "#fff", 0], [0.42, "#dff8ff", 0], [0.5, "#dff8ff", 0.5], [0.58, "#dff8ff", 0], [1, "#fff", 0]]),
    slanted("cd-back", [[0, "#2b4a6b"], [1, "#12233a"]]),
    svg`<linearGradient id="cd-arrow" x1="0" y1="1" x2="0" y2="0">${stops([[0, "#ffd76a"], [1, "#ff7a1a"]])}</linearGradient>`,
    svg`<clipPath id="cd-strip"><path d="M0-10H100V102H0z"/></clipPath>`, crestDefs,
  ]}</defs></svg>`;
  return picture(made);
}
