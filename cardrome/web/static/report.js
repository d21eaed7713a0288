"use strict";

// A click on a column's head sorts by it, numbers from the greatest. Without this script the pages show the same.
const number = (text) => Number(text.replace(/[,%\s+]/g, "").replace("−", "-") || NaN);

function value(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.v ?? cell.textContent.trim();
  const found = number(text);
  return Number.isNaN(found) ? text.toLowerCase() : found;
}

function sort(table, head) {
  const column = head.cellIndex;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [value(row, column), row]);
  const words = rows.some(([found]) => typeof found === "string" && found !== "");
  const before = head.getAttribute("aria-sort");
  const upward = before ? before === "descending" : words || head.dataset.up !== undefined;
  const order = words
    ? (a, b) => String(a).localeCompare(String(b))
    : (a, b) => (a === "" ? -Infinity : a) - (b === "" ? -Infinity : b) || 0;
  rows.sort((a, b) => (upward ? order(a[0], b[0]) : order(b[0], a[0])));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", upward ? "ascending" : "descending");
  body.append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sort")) {
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent.trim()) continue;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head));
  }
}

// The matrix spells out the cell under the pointer and marks both names.
for (const matrix of document.querySelectorAll(".matrix")) {
  const told = document.getElementById("cell");
  const heads = matrix.querySelector("thead tr").cells;
  let marked = [];
  const tell = (event) => {
    const cell = event.target.closest("td");
    for (const mark of marked) mark.classList.remove("now");
    marked = cell ? [cell.parentElement, heads[cell.cellIndex]] : [];
    for (const mark of marked) mark.classList.add("now");
    told.textContent = cell?.querySelector("a")?.title ?? "";
  };
  for (const kind of ["pointerover", "focusin", "pointerleave"]) matrix.addEventListener(kind, tell);
}
