// Crests: a coat of arms for each player, from a hash of their name. It appears wherever the name does.
import { mix } from "./colours.js";
import { hash, svg } from "../markup.js";
import { BEASTS } from "./shapes.js";
import { FAMILIES, mirrored } from "./sigil.js";

const TINCTURES = ["#2457a6", "#c4471b", "#1d7a5a", "#6b3fa0", "#1f2a37", "#8c1d40", "#0f7c8f", "#9a6a00"];
const PARTS = [
  "M0 0H30V72H0z", "M0 0H60V30H0z", "M0 0 60 58V0z", "M0 0H30V32H0zM30 32H60V72H30z", "M0 52 30 22 60 52V72H0z", "M20 0H40V72H20z",
  "M0 0H60V14H0zM0 28H60V42H0zM0 56H60V72H0z",
];
const COLOURS = { e: "#141018", w: "#ffffff", b: "#f6b73c", g: "#ffffff", l: "#5fbf7f", k: "#3d9a62", t: "#e0435c" };

const OUTLINE = "M0 3Q30-4 60 3V34C60 54 46 64 30 71 14 64 0 54 0 34z";

// What crests refer to: a page needs it once.
export const crestDefs = svg`<clipPath id="cd-crest"><path d="${OUTLINE}"/></clipPath><filter id="cd-lift" x="-10%" y="-10%" width="120%" height="125%"><feDropShadow dx="0" dy="1.8" stdDeviation="1.6" flood-color="#000" flood-opacity=".6"/></filter>`;

export function crest(name, size) {
  const h = hash(`crest ${name}`), ground = TINCTURES[h % 8], pale = ["#f3ead2", "#e9b949", mix(ground, "#ffffff", 0.72)][(h >>> 3) % 3];
  const family = FAMILIES[(h >>> 8) % FAMILIES.length], plain = (h >>> 12) % 2;
  const metal = pale === "#e9b949" ? "argent" : ["or", "argent", "copper", "jade", "bone"][(h >>> 14) % 5];
  const eye = family === "ooze" && svg`<circle cx="50" cy="43" r="16" fill="#fff"/><circle cx="50" cy="44" r="8" fill="#141018"/>`;
  return svg`<svg class="crest" width="${size}" height="${Math.round(size * 1.16)}" viewBox="-2 -2 64 74" aria-hidden="true"><g clip-path="url(#cd-crest)"><rect width="60" height="72" fill="${ground}"/><path d="${PARTS[(h >>> 5) % 7]}" fill="${plain ? mix(ground, "#000000", 0.32) : pale}" fill-opacity="${plain ? 1 : 0.92}"/>${!plain && svg`<circle cx="30" cy="31" r="23" fill="${mix(ground, "#000000", 0.35)}"/>`}<g transform="translate(8 8) scale(.44)" filter="url(#cd-lift)">${mirrored(BEASTS[family], metal, COLOURS)}${eye}</g></g><path d="${OUTLINE}" fill="none" stroke="#e7d6ad" stroke-width="3.4"/><path d="${OUTLINE}" fill="none" stroke="#3b2c12" stroke-width="1"/></svg>`;
}
