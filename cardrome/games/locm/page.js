// The page of a LOCM game: deck building, then the battle. Follows the shared script of replay pages.

function svg(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// Cards

function cardFace(index, id) {
  const card = cards[index];
  return make("div", `card type-${card.type}`,
    make("div", "top", make("span", "cost", card.cost), id === null ? card.type : make("span", "id", id)),
    make("div", "name", card.name),
    card.effects ? make("div", "effects", card.effects) : null,
    make("div", "foot", make("span", "keys", card.keywords), make("span", "strength", `${card.attack}/${card.defense}`)));
}

function creatureFace(creature, before, dead) {
  const card = cards[creature.card];
  const face = make("div", `card type-${card.type}`,
    make("div", "top", make("span", "id", creature.id), make("span", "cost", card.cost)),
    make("div", "name", card.name),
    make("div", "foot", make("span", "keys", creature.keywords),
      make("span", "strength", `${creature.attack}/${creature.defense}`)));
  if (dead) face.classList.add("dead");
  else if (creature.ready) face.classList.add("ready");
  const differs = before === null || ["attack", "defense", "keywords"].some((name) => before[name] !== creature[name]);
  if (differs && !dead) face.classList.add("changed");
  return face;
}

// The battle

function bar(frame, earlier, p) {
  const side = frame.sides[p];
  const spent = Math.max(0, side.max_mana - side.mana);
  const rune = replay.runes ? make("span", "", make("small", "", "next rune "), side.rune || "none") : null;
  return make("div", `bar seat${p}${frame.player === p ? " moving" : ""}`,
    make("span", "who", playerName(p)),
    make("span", "health", `♥ ${side.health}`, delta(side.health, earlier?.sides[p].health)),
    make("span", "", make("small", "", `mana ${side.mana}/${side.max_mana} `),
      make("span", "pips", "●".repeat(side.mana), make("span", "spent", "●".repeat(spent)))),
    rune,
    make("span", "", make("small", "", "draws "), side.draw),
    make("span", "", make("small", "", "hand "), side.hand.length),
    make("span", "", make("small", "", "deck "), side.deck));
}

function hand(side) {
  return make("div", "hand", ...side.hand.map(([id, index]) => cardFace(index, id)));
}

function laneRow(frame, earlier, p, lane) {
  const present = frame.sides[p].lanes[lane];
  const past = earlier ? earlier.sides[p].lanes[lane] : present;
  const alive = new Set(present.map((creature) => creature.id));
  // Creatures that have just died are shown once more where there is room.
  const dead = past.filter((creature) => !alive.has(creature.id)).slice(0, replay.slots - present.length);
  const cells = present.map((creature) =>
    creatureFace(creature, past.find((other) => other.id === creature.id) ?? null, false));
  cells.push(...dead.map((creature) => creatureFace(creature, creature, true)));
  while (cells.length < replay.slots) cells.push(make("div", "slot"));
  return make("div", `row slots${replay.slots}`, ...cells);
}

function battle(frame, number) {
  const before = frames[number - 1];
  const earlier = before && before.kind === "battle" ? before : null;
  const lanes = make("div", "lanes");
  for (let lane = 0; lane < replay.lanes; lane++) {
    lanes.append(make("div", "lane", laneRow(frame, earlier, 1, lane),
      make("div", "label", replay.lanes > 1 ? `lane ${lane}` : ""), laneRow(frame, earlier, 0, lane)));
  }
  return make("div", "table",
    make("div", "side", bar(frame, earlier, 1), hand(frame.sides[1])),
    lanes,
    make("div", "side near", bar(frame, earlier, 0), hand(frame.sides[0])),
    make("div", "caption", caption(number)));
}

function caption(number) {
  if (number === frames.length - 1) return replay.result;
  for (const entry of log) {
    if (entry.frame === number && entry.kind === "turn") return `Turn ${entry.turn}: ${playerName(entry.player)} to move`;
    for (const deed of entry.deeds ?? []) if (deed.frame === number) return deed.words;
  }
  return "";
}

// Deck building

function draft(frame) {
  const offer = make("div", "offer");
  const taken = new Set();
  frame.offer.forEach((index) => {
    const takers = make("div", "takers");
    // A card may be offered twice in one round, but each pick is shown only once.
    for (const p of [0, 1]) {
      if (frame.picks[p] === index && !taken.has(p)) {
        taken.add(p);
        takers.append(make("span", `seat${p}`, playerName(p)));
      }
    }
    const face = cardFace(index, null);
    if (takers.childNodes.length) face.classList.add("taken");
    offer.append(make("div", "", face, takers));
  });
  const round = frames.indexOf(frame);
  const sofar = [0, 1].map((p) => frames.slice(0, round + 1).map((each) => each.picks[p]).filter((pick) => pick !== null));
  return make("div", "", make("div", "caption", `Draft, card ${frame.round + 1} of 30`), offer, deckColumns(sofar));
}

function deckColumns(decks) {
  return make("div", "decks", ...decks.map((deck, p) => {
    const counts = new Map();
    for (const index of [...deck].sort((a, b) => cards[a].cost - cards[b].cost || a - b)) {
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    const list = make("ul", "list", ...[...counts].map(([index, n]) => make("li", "",
      make("span", "cost", cards[index].cost), make("span", "", (n > 1 ? `${n}× ` : "") + cards[index].name),
      make("span", "strength", `${cards[index].attack}/${cards[index].defense} ${cards[index].keywords}`))));
    return make("div", `seat${p}`, make("h2", "", `${playerName(p)}: ${deck.length} cards`), curve(deck), list);
  }));
}

function curve(deck) {
  const columns = Array(13).fill(0);
  for (const index of deck) columns[Math.min(cards[index].cost, 12)] += 1;
  const most = Math.max(8, ...columns);
  const picture = svg("svg", { viewBox: "0 0 260 100", class: "curve", role: "img", "aria-label": "Cards by cost" });
  columns.forEach((n, cost) => {
    const height = (70 * n) / most;
    picture.append(svg("rect", { x: cost * 20 + 3, y: 84 - height, width: 14, height, rx: 2 }));
    picture.append(svg("text", { x: cost * 20 + 10, y: 96 }, cost));
    if (n) picture.append(svg("text", { x: cost * 20 + 10, y: 80 - height }, n));
  });
  return picture;
}

function decks(frame) {
  const over = frames[frames.length - 1] === frame;
  return make("div", "", make("div", "caption", over ? replay.result : "The decks"), deckColumns(frame.decks));
}

// The log

function fillLog() {
  const list = byId("log");
  if (frames.length && frames[0].kind === "draft") list.append(mark(0, "head", "Draft"));
  for (const entry of log) {
    if (entry.kind === "decks") {
      list.append(mark(entry.frame, "head", "Decks"));
      continue;
    }
    const details = [`call ${entry.call}`];
    if (entry.ms !== null) details.push(`${entry.ms} ms`);
    const item = mark(entry.frame, "head", `${entry.turn} · ${playerName(entry.player)} `,
      make("small", "", details.join(" · ")));
    item.classList.add(`seat${entry.player}`);
    item.firstChild.title = entry.answer === null ? "no answer" : entry.answer;
    list.append(item, ...entry.deeds.map((deed) => {
      const line = mark(deed.frame, "deed", deed.words);
      line.firstChild.title = deed.action;
      return line;
    }));
    if (entry.ignored) list.append(make("li", "note", `${entry.ignored} illegal ${entry.ignored === 1 ? "action" : "actions"} skipped`));
    else if (!entry.deeds.length) list.append(make("li", "note", entry.answer === null ? "no answer" : entry.answer));
  }
}

function fillEnds() {
  (replay.processes ?? []).forEach((end, p) => {
    if (end === null) return;
    const how = end.signal != null ? `signal ${end.signal}` : end.exit_code != null ? `exit code ${end.exit_code}` : "";
    byId("ends").append(make("div", "", `${playerName(p)}: process ended${how ? `, ${how}` : ""}`,
      end.stderr ? make("pre", "", end.stderr) : null));
  });
}

function draw(frame, number) {
  return { battle, draft, decks }[frame.kind](frame, number);
}

start();
