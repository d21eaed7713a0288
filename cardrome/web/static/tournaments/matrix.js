// The matrix: its foot spells out the cell under the pointer or the focus, and arrow keys walk from cell to cell.
import { crest } from "../cards/crest.js";
import { icon } from "../cards/icons.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

let told = null;  // the address of the cell that was told last, to be told again when the matrix was replaced

// Make a matrix explain itself. One cell can be reached by Tab, the others from there.
export function matrix(table) {
  const note = table.closest("section").querySelector(".note"), heads = table.tHead.rows[0].cells;
  const name = (cell) => cell.querySelector("bdi").textContent;
  let chosen = null;

  const choose = (link) => {
    if (!link || link === chosen) return;
    const cell = link.parentElement, one = name(cell.parentElement.cells[0]), other = name(heads[cell.cellIndex]), data = link.dataset;
    chosen?.parentElement.classList.remove("sel");
    chosen?.setAttribute("tabindex", "-1");
    chosen = link;
    told = link.getAttribute("href");
    cell.classList.add("sel");
    link.setAttribute("tabindex", "0");
    const facts = [t("tournaments.cell", { won: link.textContent, n: Number(data.games), low: data.low, high: data.high })];
    if (data.first !== undefined) facts.push(t("tournaments.cell-first", { share: data.first }));
    if (data.second !== undefined) facts.push(t("tournaments.cell-second", { share: data.second }));
    note.replaceChildren(...h("div", {}, crest(one, 30), h("span", { class: "who" }, h("b", {}, t("tournaments.cell-who", { one, other })), h("span", { class: "muted" }, facts.join(" · "))),
      h("span", { class: "grow" }), h("a", { class: "btn", href: told }, icon("play", 12), t("tournaments.games"))).childNodes);
    note.hidden = false;
  };

  const step = ([down, right], from) => {
    for (let row = from.parentElement.rowIndex + down, column = from.cellIndex + right; ; row += down, column += right) {
      const cell = row > 0 ? table.rows[row]?.cells[column] : null;
      if (!cell || column < 1) return;
      const link = cell.querySelector("a");
      if (link) return link;
    }
  };

  const links = [...table.querySelectorAll("td a")];
  for (const link of links) link.setAttribute("tabindex", "-1");
  choose(links.find((link) => link.getAttribute("href") === told) ?? links[0]);
  table.addEventListener("pointerover", (event) => choose(event.target.closest("td a")));
  table.addEventListener("focusin", (event) => choose(event.target.closest("td a")));
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td");
    if (!cell || !ARROWS[event.key]) return;
    event.preventDefault();
    step(ARROWS[event.key], cell)?.focus();
  });
}
