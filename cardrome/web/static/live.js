// Keeps the standings current from one stream of events. Everything goes onto the page as text.

const element = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const rows = new Map(); // a team's name -> the parts of its row
let results = { columns: [], cells: [], note: "" };
let points = new Map(); // a team's name -> its points, column by column

function make(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Set a text only if it differs, so that unchanged text is neither drawn nor read aloud again. */
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

function setClass(target, className) {
  if (target.className !== className) target.className = className;
}

function head(column) {
  const cell = make("th");
  cell.scope = "col";
  const link = make("a");
  link.href = `tournaments/${column.number}`;
  link.textContent = `T${column.number}`;
  link.ariaLabel = `Tournament ${column.number}`;
  if (column.again) {
    const mark = make("span", "again", "↻");
    mark.title = "played again after a restart";
    cell.append(mark);
  }
  cell.append(link);
  return cell;
}

function takeResults(news) {
  results = news;
  points = new Map(news.cells);
  const heads = element("heads");
  while (heads.cells.length > 3) heads.lastElementChild.remove();
  heads.append(...news.columns.map(head));
  setText(element("note"), news.note);
  element("again").hidden = !news.columns.some((column) => column.again);
}

function newRow() {
  const row = make("tr");
  const rank = make("td", "rank");
  const team = make("th", "team");
  team.scope = "row";
  const name = make("bdi");
  const link = make("span", "unseen");
  team.append(make("span", "dot"), name, link);
  const total = make("td", "total");
  row.append(rank, team, total);
  return { row, rank, team, name, link, total };
}

function drawRow(parts, line) {
  setClass(parts.row, line.connected ? "on" : "off");
  setText(parts.rank, line.rank);
  setText(parts.name, line.name);
  setText(parts.link, `, ${line.link}`);
  setText(parts.total, line.total);
  if (parts.team.title !== line.name) parts.team.title = line.name;
  const made = points.get(line.name) ?? [];
  while (parts.row.cells.length > 3 + results.columns.length) parts.row.lastElementChild.remove();
  while (parts.row.cells.length < 3 + results.columns.length) parts.row.append(make("td"));
  results.columns.forEach((column, i) => {
    const cell = parts.row.cells[3 + i];
    const text = made[i] ?? "·";
    setText(cell, text);
    setClass(cell, text === column.best ? "best" : "");
  });
}

/** Draw the lines in their order. A row whose place has changed glides there. */
function drawRows(lines) {
  const body = element("rows");
  const seen = new Set(lines.map((line) => line.name));
  for (const [name, parts] of rows) {
    if (!seen.has(name)) {
      parts.row.remove();
      rows.delete(name);
    }
  }
  const wanted = lines.map((line) => {
    if (!rows.has(line.name)) rows.set(line.name, newRow());
    const parts = rows.get(line.name);
    drawRow(parts, line);
    return parts.row;
  });
  if (wanted.length === body.rows.length && wanted.every((row, i) => body.rows[i] === row)) return;
  const before = new Map([...body.rows].map((row) => [row, row.offsetTop]));
  body.replaceChildren(...wanted);
  if (calm.matches || document.hidden) return;
  for (const row of wanted) {
    const way = before.has(row) ? before.get(row) - row.offsetTop : 0;
    if (way) row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
  }
}

function drawStatus(status) {
  setText(element("event"), status.event);
  if (document.title !== status.event) document.title = status.event;
  setText(element("phase"), status.words);
  setClass(element("phase"), `phase ${status.phase}`);
  for (const id of ["headline", "turns", "matches", "health", "proof"]) setText(element(id), status[id]);
  setClass(element("health"), status.late ? "late" : "");
  const bar = element("bar");
  bar.hidden = status.of === 0;
  if (status.of) {
    bar.max = status.of;
    bar.value = status.done;
  }
  element("nobody").hidden = status.lines.length > 0;
  drawRows(status.lines);
}

let pause = 1000;

function connect() {
  const stream = new EventSource("events");
  stream.onopen = () => {
    pause = 1000;
    element("lost").hidden = true;
  };
  stream.onmessage = (message) => {
    const news = JSON.parse(message.data);
    if (news.results) takeResults(news.results);
    drawStatus(news.status);
  };
  stream.onerror = () => {
    element("lost").hidden = false;
    // Browsers reconnect after a broken connection but not after a refusal. All viewers lose the stream at the same
    // moment, so each waits for a random time.
    stream.close();
    setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(2 * pause, 15000);
  };
}

connect();
