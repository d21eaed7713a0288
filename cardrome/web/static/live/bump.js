// The ranks of all teams over the tournaments in one picture: every line ends in the row of its team.
import { picture, svg } from "../markup.js";

const TOP = 3;

function line(places, x, y) {
  const at = (n) => n.toFixed(1);
  return places.map((place, k) => (k
    ? `C${at(x(k - 0.5))} ${at(y(places[k - 1]))} ${at(x(k - 0.5))} ${at(y(place))} ${at(x(k))} ${at(y(place))}`
    : `M${at(x(0))} ${at(y(place))}`)).join("");
}

// `rows` are drawn over `box`, between `left` and `right` in its pixels.
export function bump(rows, climber, { width, height, left, right }) {
  const columns = rows[0]?.places.length ?? 0, each = height / Math.max(rows.length, 1);
  const x = (k) => (columns > 1 ? left + (k * (right - left)) / (columns - 1) : right), y = (place) => (place - 0.5) * each;
  const kind = (row, i) => (i < TOP ? "top" : row.name === climber ? "climb" : "other");
  const drawn = rows.map((row, i) => {
    const path = line(row.places, x, y), last = row.places.length - 1;
    return svg`<g class="${kind(row, i)}"><path class="under" d="${path}"/><path d="${path}"/>${row.places.map((place, k) => svg`<circle class="${k === last ? "last" : ""}" cx="${x(k).toFixed(1)}" cy="${y(place).toFixed(1)}" r="${k === last ? 8 : 4}"/>`)}</g>`;
  }).reverse();
  return picture(svg`<svg class="bump" viewBox="0 0 ${width} ${height}" aria-hidden="true">${Array.from({ length: columns }, (_, k) => svg`<path class="grid" d="M${x(k).toFixed(1)} 0V${height}"/>`)}${drawn}</svg>`);
}
