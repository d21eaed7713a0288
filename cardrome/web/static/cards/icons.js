// The icons: 16-unit grid, solid, one colour, legible at 12 px. One never stands alone without a title or label.
import { svg, trusted } from "../markup.js";

const SHAPES = {
  B: '<path d="M8 .6 13 6.2H10.1V15.4H5.9V6.2H3z"/><path d="M.4 8.6H4.6V11.4H.4zM11.4 8.6H15.6V11.4H11.4z"/>',
  C: '<path d="M9.9.3 2.2 9.2H6.7L5 15.7 13.8 6.3H8.9z"/>',
  D: '<path fill-rule="evenodd" d="M8 .4C8 .4 13.4 6.5 13.4 10.2A5.4 5.4 0 0 1 2.6 10.2C2.6 6.5 8 .4 8 .4zM5 9.9A3.1 3.1 0 0 0 8 13.2 .7.7 0 0 0 8 11.9 1.8 1.8 0 0 1 6.4 9.9 .7.7 0 0 0 5 9.9z"/>',
  G: '<path fill-rule="evenodd" d="M8 .5 14.4 2.7V7.6C14.4 11.6 11.7 14.3 8 15.7 4.3 14.3 1.6 11.6 1.6 7.6V2.7zM8 3V13C10.4 11.9 12.1 10.1 12.1 7.5V4.4z"/>',
  L: '<path fill-rule="evenodd" d="M8 .6C3.9.6 1.3 3.4 1.3 6.9 1.3 9.1 2.3 10.6 3.9 11.5V13.9L5.5 15.4H10.5L12.1 13.9V11.5C13.7 10.6 14.7 9.1 14.7 6.9 14.7 3.4 12.1.6 8 .6zM5.2 5.7A1.8 1.8 0 1 0 5.2 9.3 1.8 1.8 0 1 0 5.2 5.7zM10.8 5.7A1.8 1.8 0 1 0 10.8 9.3 1.8 1.8 0 1 0 10.8 5.7zM8 9.4 6.9 11.8H9.1z"/>',
  W: '<path fill-rule="evenodd" d="M8 .5A7.5 7.5 0 1 1 8 15.5 7.5 7.5 0 1 1 8 .5zM8 2.4A5.6 5.6 0 1 0 8 13.6 5.6 5.6 0 1 0 8 2.4z"/><path d="M8 3.6 9.2 6.8 12.4 8 9.2 9.2 8 12.4 6.8 9.2 3.6 8 6.8 6.8z"/>',
  heart: '<path d="M8 14.6C3.2 11.2.9 8.6.9 5.5A3.8 3.8 0 0 1 8 3.7 3.8 3.8 0 0 1 15.1 5.5C15.1 8.6 12.8 11.2 8 14.6z"/>',
  broken: '<path d="M7.4 14.2C3 11.1 .9 8.5.9 5.5A3.8 3.8 0 0 1 7.3 3L5.9 6.3 8.3 8.4zM8.9 13.9C13 10.9 15.1 8.4 15.1 5.5A3.8 3.8 0 0 0 9 2.9L7.9 5.9 10.3 8.2z"/>',
  draw: '<path fill-rule="evenodd" d="M4.6 1.2H12.5A1.3 1.3 0 0 1 13.8 2.5V13.5A1.3 1.3 0 0 1 12.5 14.8H4.6A1.3 1.3 0 0 1 3.3 13.5V2.5A1.3 1.3 0 0 1 4.6 1.2zM7.7 4.5V7.1H5.1V8.9H7.7V11.5H9.5V8.9H12.1V7.1H9.5V4.5z"/>',
  deck: '<path d="M5.5.8H13A1.2 1.2 0 0 1 14.2 2V11.2H12.8V2.2H5.5z"/><path d="M2.9 3.2H10.4A1.2 1.2 0 0 1 11.6 4.4V14A1.2 1.2 0 0 1 10.4 15.2H2.9A1.2 1.2 0 0 1 1.7 14V4.4A1.2 1.2 0 0 1 2.9 3.2z"/>',
  hand: '<path d="M1 5.3 5.2 3.8 8.4 12.9 4.2 14.4zM6.3 2.5H11V12.5H9.6L6.3 3.1zM12 3.5 15.2 4.6 12 13.5z"/>',
  gem: '<path d="M8 .6 14 5.2 11.8 13.5 8 15.5 4.2 13.5 2 5.2z"/>',
  rune: '<path d="M8 .3 13.2 8 8 15.7 2.8 8z"/>',
  sword: '<path d="M14.9.9 14.4 4.7 7.3 11.6 8.7 13 7.5 14.2 5.2 11.9 2.5 14.7 1.1 13.3 3.9 10.6 1.7 8.4 2.9 7.2 4.3 8.6 11.2 1.5z"/>',
  play: '<path d="M4 1.8 14 8 4 14.2z"/>', pause: '<path d="M3.5 2H6.7V14H3.5zM9.3 2H12.5V14H9.3z"/>',
  next: '<path d="M3 2 10 8 3 14zM11 2H13.2V14H11z"/>', prev: '<path d="M13 2 6 8 13 14zM2.8 2H5V14H2.8z"/>',
  ffwd: '<path d="M1 2.5 7.5 8 1 13.5zM8 2.5 14.5 8 8 13.5z"/>', rew: '<path d="M15 2.5 8.5 8 15 13.5zM8 2.5 1.5 8 8 13.5z"/>',
  undo: '<path d="M6.2 1.5V4.7H9.5A5 5 0 0 1 9.5 14.7H4.5V12.5H9.5A2.8 2.8 0 0 0 9.5 6.9H6.2V10.1L1 5.8z"/>',
  bulb: '<path d="M8 .8A5 5 0 0 0 5 9.8V11.5H11V9.8A5 5 0 0 0 8 .8zM5.4 12.5H10.6V13.7H5.4zM6.4 14.5H9.6L8.8 15.6H7.2z"/>',
  flag: '<path d="M2.5 1H4.3V15.4H2.5zM5 1.6H14L11.7 5.3 14 9H5z"/>',
  lock: '<path fill-rule="evenodd" d="M8 .8A3.9 3.9 0 0 1 11.9 4.7V7H13.2V15H2.8V7H4.1V4.7A3.9 3.9 0 0 1 8 .8zM8 2.8A1.9 1.9 0 0 0 6.1 4.7V7H9.9V4.7A1.9 1.9 0 0 0 8 2.8z"/>',
  sleep: '<path d="M1.5 7.8H7.8V9.5L4.3 13.3H7.9V15H1.4V13.3L4.9 9.5H1.5zM8.6 1H14.5V2.6L11.3 6.2H14.6V7.8H8.5V6.2L11.7 2.6H8.6z"/>',
  tap: '<path d="M9.5.6 15.2 4.7 9.5 8.8V6.1C6 6.1 4.4 8 4.4 10.6 4.4 12.3 5 13.7 6.1 15 3 14 1.2 11.7 1.2 8.9 1.2 5.6 3.9 3.3 9.5 3.3z"/>',
  burn: '<path d="M8.3.4C9 3.5 13.2 5.4 13.2 10A5.2 5.2 0 0 1 2.8 10C2.8 7.7 4.1 6.2 5.2 5 5.3 6.6 5.9 7.3 6.8 7.6 6.3 4.8 7 2.2 8.3.4z"/>',
  tower: '<path d="M3 1H5.2V2.9H6.9V1H9.1V2.9H10.8V1H13V5.2L11.7 6.3V12.5H13.2V15H2.8V12.5H4.3V6.3L3 5.2z"/>',
  trophy: '<path fill-rule="evenodd" d="M4 1H12V2.5H15V4.5A3.5 3.5 0 0 1 11.5 8 4 4 0 0 1 9 9.9V12.5H11.5V15H4.5V12.5H7V9.9A4 4 0 0 1 4.5 8 3.5 3.5 0 0 1 1 4.5V2.5H4zM2.5 4V4.5A2 2 0 0 0 4 6.4V4zM12 4V6.4A2 2 0 0 0 13.5 4.5V4z"/>',
  live: '<circle cx="8" cy="8" r="2.6"/><path d="M3.2 3.2 4.5 4.5A5 5 0 0 0 4.5 11.5L3.2 12.8A6.8 6.8 0 0 1 3.2 3.2zM12.8 3.2 11.5 4.5A5 5 0 0 1 11.5 11.5L12.8 12.8A6.8 6.8 0 0 0 12.8 3.2z"/>',
  book: '<path d="M1 2.5C3.5 1.7 6 1.9 7.5 3.2V14C6 12.9 3.5 12.7 1 13.4zM15 2.5C12.5 1.7 10 1.9 8.5 3.2V14C10 12.9 12.5 12.7 15 13.4z"/>',
  globe: '<path fill-rule="evenodd" d="M8 .8A7.2 7.2 0 1 1 8 15.2 7.2 7.2 0 0 1 8 .8zM8 2.6C7 3.7 6.3 5.2 6.1 7.1H9.9C9.7 5.2 9 3.7 8 2.6zM2.7 7.1H4.3C4.4 5.7 4.8 4.4 5.3 3.3A5.4 5.4 0 0 0 2.7 7.1zM13.3 7.1A5.4 5.4 0 0 0 10.7 3.3C11.2 4.4 11.6 5.7 11.7 7.1zM2.7 8.9A5.4 5.4 0 0 0 5.3 12.7C4.8 11.6 4.4 10.3 4.3 8.9zM6.1 8.9C6.3 10.8 7 12.3 8 13.4 9 12.3 9.7 10.8 9.9 8.9zM11.7 8.9C11.6 10.3 11.2 11.6 10.7 12.7A5.4 5.4 0 0 0 13.3 8.9z"/>',
  search: '<path fill-rule="evenodd" d="M6.7 1A5.7 5.7 0 0 1 11.3 10L15.2 13.9 13.9 15.2 10 11.3A5.7 5.7 0 1 1 6.7 1zM6.7 3A3.7 3.7 0 1 0 6.7 10.4 3.7 3.7 0 1 0 6.7 3z"/>',
  moon: '<path d="M10.5 1A7 7 0 1 0 15 10.7 5.8 5.8 0 0 1 10.5 1z"/>',
  target: '<path fill-rule="evenodd" d="M7 .5H9V2.6A5.5 5.5 0 0 1 13.4 7H15.5V9H13.4A5.5 5.5 0 0 1 9 13.4V15.5H7V13.4A5.5 5.5 0 0 1 2.6 9H.5V7H2.6A5.5 5.5 0 0 1 7 2.6zM8 4.5A3.5 3.5 0 1 0 8 11.5 3.5 3.5 0 1 0 8 4.5z"/><circle cx="8" cy="8" r="1.6"/>',
  check: '<path d="M1.5 8.6 3.5 6.5 6.4 9.4 12.6 2.8 14.6 4.8 6.4 13.3z"/>',
  eye: '<path fill-rule="evenodd" d="M8 3C11.5 3 14.2 5.3 15.6 8 14.2 10.7 11.5 13 8 13 4.5 13 1.8 10.7.4 8 1.8 5.3 4.5 3 8 3zM8 5.2A2.8 2.8 0 1 0 8 10.8 2.8 2.8 0 1 0 8 5.2z"/>',
  up: '<path d="M8 2.5 14.5 11H1.5z"/>', down: '<path d="M8 13.5 1.5 5H14.5z"/>', right: '<path d="M4.5 1.5 12 8 4.5 14.5z"/>', left: '<path d="M11.5 1.5 4 8 11.5 14.5z"/>',
  share: '<path d="M8 .5 12.4 5H9.2V10.5H6.8V5H3.6zM1.5 7.5H3.7V13.3H12.3V7.5H14.5V15.5H1.5z"/>',
  area1: '<path fill-rule="evenodd" d="M1 1H7.3V15H1zM2.2 2.2V13.8H6.1V2.2z" opacity=".55"/><path d="M8.7 1H15V15H8.7z"/>',
  area2: '<path d="M1 1H7.3V15H1zM8.7 1H15V15H8.7z"/>',
  plus: '<path d="M6.4 1.5H9.6V6.4H14.5V9.6H9.6V14.5H6.4V9.6H1.5V6.4H6.4z"/>',
  dash: '<path d="M1.5 6.3H14.5V9.7H1.5z"/>',
  star: '<path d="M8 .3 10 6 15.7 8 10 10 8 15.7 6 10 .3 8 6 6z"/>',
  claw: '<path d="M3.2.8C5.6 4.5 5.7 9.4 2.7 15 1.2 10 1.3 5 3.2.8zM8.3.3C10.6 4.5 10.5 10 7.3 15.7 5.9 10.5 6 5 8.3.3zM13.2 1.2C15.2 5 14.9 9.7 12 14.4 10.8 9.8 11.2 5 13.2 1.2z"/>',
};
export const shape = (name) => trusted(SHAPES[name]);

export const icon = (name, size = 16, label = "") => label
  ? svg`<svg class="ic" width="${size}" height="${size}" viewBox="0 0 16 16" role="img" aria-label="${label}">${shape(name)}</svg>`
  : svg`<svg class="ic" width="${size}" height="${size}" viewBox="0 0 16 16" aria-hidden="true">${shape(name)}</svg>`;

export const KEYWORD_COLOURS = { B: "#b4530a", C: "#8a6a00", D: "#a61b42", G: "#33556f", L: "#3c3152", W: "#0d6f8c" };

// A keyword's disc inside a picture; struck through where it is taken away.
export function disc(keyword, x, y, size, struck = false) {
  const s = size * 0.64;
  return svg`<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"><circle r="${(size * 0.56).toFixed(2)}" fill="${KEYWORD_COLOURS[keyword]}" stroke="#fff" stroke-width="${Math.max(0.9, size * 0.06).toFixed(2)}"/><g transform="translate(${-s / 2} ${-s / 2}) scale(${s / 16})" fill="#fff">${shape(keyword)}</g>${struck && svg`<path d="M${-size * 0.42} ${size * 0.42}L${size * 0.42} ${-size * 0.42}" stroke="#ff8a80" stroke-width="${size * 0.14}"/>`}</g>`;
}

export const keywordIcon = (keyword, size, label = "") => label
  ? svg`<svg class="kwb" width="${size}" height="${size}" viewBox="-10 -10 20 20" role="img" aria-label="${label}">${disc(keyword, 0, 0, 16.6)}</svg>`
  : svg`<svg class="kwb" width="${size}" height="${size}" viewBox="-10 -10 20 20" aria-hidden="true">${disc(keyword, 0, 0, 16.6)}</svg>`;

export const logo = (size) => svg`<svg class="logo" width="${Math.round(size * 1.5)}" height="${size}" viewBox="0 0 60 40" aria-hidden="true"><rect x="2" y="2" width="56" height="36" rx="18" fill="none" stroke="currentColor" stroke-width="3.6"/><rect x="8.5" y="8.5" width="43" height="23" rx="11.5" fill="none" stroke="currentColor" stroke-width="1.3" opacity=".55"/><rect class="near" x="17" y="10" width="13" height="18" rx="2" stroke-width="1.6" transform="rotate(-12 23 19)"/><rect class="far" x="30" y="12" width="13" height="18" rx="2" stroke-width="1.6" transform="rotate(12 36 21)"/></svg>`;
