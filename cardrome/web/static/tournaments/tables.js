// A click on a column's head sorts by it, numbers from the greatest. Without a script the pages show the same.

// Numbers as either language writes them: 1,234.5% and 1 234,5 %.
function number(text) {
  const plain = text.replace(/[%\s+*±]|ms$|s$/g, "").replace("−", "-");
  const point = document.documentElement.lang === "fr" ? plain.replace(",", ".") : plain.replaceAll(",", "");
  return point === "" ? NaN : Number(point);
}

function value(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.v ?? cell.textContent.trim();
  const found = cell.dataset.v === undefined ? number(text) : Number(text);
  return Number.isNaN(found) ? text.toLowerCase() : found;
}

function sort(table, head, direction) {
  const column = head.cellIndex;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [value(row, column), row]);
  const words = rows.some(([found]) => typeof found === "string" && found !== "");
  const before = head.getAttribute("aria-sort");
  const upward = direction ? direction === "ascending" : before ? before === "descending" : words || head.dataset.up !== undefined;
  const order = words
    ? (a, b) => String(a).localeCompare(String(b))
    : (a, b) => (a === "" ? -Infinity : a) - (b === "" ? -Infinity : b);
  rows.sort(([a], [b]) => (upward ? order(a, b) : order(b, a)));
  body.append(...rows.map(([, row]) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", upward ? "ascending" : "descending");
}

export function sortable(table) {
  for (const head of table.tHead.rows[0].querySelectorAll("th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head));
  }
}

// How the tables in a part of the page are sorted: for each, a column and a direction.
export const sorting = (part) => [...part.querySelectorAll("table.sort")].map((table) => {
  const head = table.querySelector("[aria-sort]");
  return head && [head.cellIndex, head.getAttribute("aria-sort")];
});

// Sort them like this again.
export function restoreSorting(part, sorted) {
  part.querySelectorAll("table.sort").forEach((table, i) => {
    if (sorted[i]) sort(table, table.tHead.rows[0].cells[sorted[i][0]], sorted[i][1]);
  });
}
