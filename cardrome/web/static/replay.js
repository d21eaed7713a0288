"use strict";
// Shared by the replay pages of all games: stepping through frames, and a log that points at them. The game's own script
// follows; it defines draw(frame, number), fillLog() and fillEnds(), and calls start().
// Everything goes onto the page as text nodes; nothing ever parses HTML.
const replay = JSON.parse(document.getElementById("replay").textContent);
const { cards, frames, log } = replay;
const byId = (id) => document.getElementById(id);
let now = 0;
let timer = null;

function make(tag, classes, ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) =>
    child instanceof Node ? child : String(child)));
  return element;
}

const playerName = (p) => replay.players[p] || `player ${p}`;

function delta(value, before) {
  if (before === undefined || before === value) return null;
  const change = value - before;
  return make("span", `delta ${change < 0 ? "down" : "up"}`, change < 0 ? `−${-change}` : `+${change}`);
}

// The log

const marks = [];  // [frame, button], ascending

function mark(frame, classes, ...children) {
  const button = make("button", classes, ...children);
  button.addEventListener("click", () => { stop(); go(frame); });
  marks.push([frame, button]);
  return make("li", "", button);
}

// Steps

const turns = () => [...new Set([0, ...log.map((entry) => entry.frame), frames.length - 1])].sort((a, b) => a - b);

function go(number) {
  now = Math.min(Math.max(number, 0), frames.length - 1);
  byId("stage").replaceChildren(draw(frames[now], now));
  byId("slider").value = now;
  byId("count").textContent = `${now + 1} of ${frames.length}`;
  for (const id of ["first", "earlier", "previous"]) byId(id).disabled = now === 0;
  for (const id of ["next", "later", "last"]) byId(id).disabled = now === frames.length - 1;
  let current = null;
  for (const [at, button] of marks) {
    button.classList.remove("now");
    button.removeAttribute("aria-current");
    if (at <= now) current = button;
  }
  current?.classList.add("now");
  current?.setAttribute("aria-current", "step");
  if (current) reveal(current);
  history.replaceState(null, "", `#${now + 1}`);
}

function reveal(button) {
  // Only the log may scroll: on a small screen scrollIntoView would also move the page away from the table.
  const list = byId("log");
  const [frame, shown] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
  if (shown.top < frame.top) list.scrollTop -= frame.top - shown.top + 40;
  else if (shown.bottom > frame.bottom) list.scrollTop += shown.bottom - frame.bottom + 40;
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

function play() {
  if (timer !== null) return stop();
  if (now === frames.length - 1) go(0);
  byId("play").textContent = "Stop";
  timer = setInterval(() => (now < frames.length - 1 ? go(now + 1) : stop()), 900);
}

const moves = {
  first: () => go(0),
  earlier: () => go(turns().findLast((frame) => frame < now) ?? 0),
  previous: () => go(now - 1),
  next: () => go(now + 1),
  later: () => go(turns().find((frame) => frame > now) ?? frames.length - 1),
  last: () => go(frames.length - 1),
};
const keys = { Home: "first", ArrowUp: "earlier", ArrowLeft: "previous", ArrowRight: "next", ArrowDown: "later", End: "last" };

for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", () => { stop(); move(); });
byId("play").addEventListener("click", play);
byId("slider").addEventListener("input", (event) => { stop(); go(Number(event.target.value)); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " ") {
    if (event.target.tagName === "BUTTON") return;
    event.preventDefault();
    play();
  } else if (event.key in keys) {
    event.preventDefault();
    stop();
    moves[keys[event.key]]();
  }
});
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0));

function start() {
  byId("slider").max = frames.length - 1;
  if (replay.difference) {
    byId("warning").textContent = `This replay does not verify: ${replay.difference}`;
    byId("warning").hidden = false;
  }
  fillLog();
  fillEnds();
  go(Number(location.hash.slice(1)) - 1 || 0);
}
