// The page of a Tapdeck match. A frame shows one of the positions; a refused command shows the same one again.
// Follows the shared script of replay pages.

const { states } = replay;
const SHOWN_NEXT = 8;

function creatures(state, p) {
  return state.board.filter(([, owner]) => owner === p).map(
    ([card, , attack, health, most, awake, attacks, blocked]) => ({ card, attack, health, most, awake, attacks, blocked }));
}

const strength = (attack, health, most) =>
  make("span", "strength", `${attack}/${health}`, most === health ? null : make("small", "", `(${most})`));

// Cards

function cardFace(index) {
  const card = cards[index];
  return make("div", `card kind-${card.kind}`,
    make("div", "top", make("span", "cost", card.cost), make("span", "id", card.id)),
    card.strength ? null : make("div", "name", card.words),
    card.strength ? make("div", "foot", gives(card), strength(...card.strength)) : null);
}

function gives(card) {
  const element = make("span", "gives", card.mana ? `◆${card.mana}` : "");
  if (card.mana) element.title = `gives ${card.mana} mana when tapped`;
  return element;
}

function creatureFace(creature, before, dead) {
  const card = cards[creature.card];
  const doing = creature.blocked ? "blocked" : creature.attacks ? "attacks" : creature.awake ? "" : "asleep";
  const face = make("div", "card kind-C",
    make("div", "top", make("span", "id", card.id), make("span", `doing ${doing}`, dead ? "dies" : doing)),
    make("div", "foot", gives(card), strength(creature.attack, creature.health, creature.most)));
  if (dead) face.classList.add("dead");
  else if (creature.attacks) face.classList.add("attacking");
  else if (creature.awake) face.classList.add("ready");
  else face.classList.add("asleep");
  // Waking up and the end of an attack do not count: they would light up the whole board.
  const differs = before === null || ["attack", "health", "most"].some((name) => before[name] !== creature[name])
    || (before.awake && !creature.awake) || (!before.attacks && creature.attacks) || (!before.blocked && creature.blocked);
  if (differs && !dead) face.classList.add("changed");
  return face;
}

// The table

function healthBar(value) {
  const filled = make("div", "");
  filled.style.width = `${(100 * value) / replay.rules.initial_health}%`;
  return make("div", "meter", filled);
}

function bar(state, earlier, p) {
  const moving = state.player === p;
  const own = moving ? [
    make("span", "phase", state.blocking ? "blocking" : "acting"),
    make("span", "", make("small", "", "mana "), state.mana, delta(state.mana, earlier?.player === p ? earlier.mana : undefined)),
    make("span", "", make("small", "", "draws "), state.draws),
    make("span", "", make("small", "", "burns "), state.burns),
  ] : [];
  return make("div", `bar seat${p}${moving ? " moving" : ""}`,
    make("span", "who", playerName(p)), ...own,
    healthBar(state.health[p]),
    make("span", "health", `♥ ${state.health[p]}`, delta(state.health[p], earlier?.health[p])));
}

function hand(state, earlier, p) {
  const held = new Set(earlier ? earlier.hands[p] : state.hands[p]);
  return make("div", "hand", ...state.hands[p].map((index) => {
    const face = cardFace(index);
    if (!held.has(index)) face.classList.add("changed");
    return face;
  }));
}

function board(state, earlier, p) {
  const present = creatures(state, p);
  const past = earlier ? creatures(earlier, p) : present;
  const alive = new Set(present.map((creature) => creature.card));
  const dead = past.filter((creature) => !alive.has(creature.card));
  // Creatures that have just died are shown once more in their place.
  const all = [...present, ...dead].sort((a, b) => cards[a.card].id - cards[b.card].id);
  return make("div", `board seat${p}`, ...all.map((creature) => creatureFace(creature,
    past.find((other) => other.card === creature.card) ?? null, !alive.has(creature.card))));
}

function deckStrip(state) {
  const left = cards.length - state.top;
  const next = [];
  for (let i = state.top; i < Math.min(cards.length, state.top + SHOWN_NEXT); i++) next.push(cardFace(i));
  return make("div", "deck",
    make("div", "label", make("b", "", left), left === 1 ? " card in the deck" : " cards in the deck",
      make("small", "", state.player === null ? "" : `turn ${state.turn} · ${state.left} left`)),
    make("div", "next", ...next));
}

function draw(frame, number) {
  const state = states[frame.state];
  const earlier = number > 0 ? states[frames[number - 1].state] : null;
  return make("div", "table",
    make("div", "side", bar(state, earlier, 1), hand(state, earlier, 1)),
    board(state, earlier, 1), deckStrip(state), board(state, earlier, 0),
    make("div", "side near", bar(state, earlier, 0), hand(state, earlier, 0)),
    make("div", `caption${refused.has(number) ? " refused" : ""}`, caption(frame, number)));
}

function caption(frame, number) {
  if (number === frames.length - 1) return replay.result;
  const state = states[frame.state];
  if (frame.words === null) return `Turn ${state.turn}: ${playerName(state.player)} to move`;
  return frame.words;
}

// The log

const refused = new Set(log.flatMap((entry) => entry.deeds.filter((deed) => deed.refused).map((deed) => deed.frame)));

function fillLog() {
  const list = byId("log");
  for (const entry of log) {
    const head = mark(entry.frame, "head", `${entry.turn} · ${playerName(entry.player)}`);
    head.classList.add(`seat${entry.player}`);
    list.append(head);
    for (const deed of entry.deeds) {
      const who = deed.player == null ? null : make("span", `seat${deed.player} other`, `${playerName(deed.player)}: `);
      const line = mark(deed.frame, deed.refused ? "deed refused" : "deed", who,
        deed.refused ? make("s", "", deed.command) : null, deed.refused ? " " : null, deed.words.replace(/^refused: /, ""));
      if (deed.command) line.firstChild.title = deed.command;
      list.append(line);
    }
    if (!entry.deeds.length) list.append(make("li", "note", "nothing"));
  }
}

function fillEnds() {
  const { event, rules } = replay;
  const lines = [];
  if (event) lines.push([event.name, `tournament ${event.tournament}`, `match ${event.match}`, event.at]);
  lines.push([`health ${rules.initial_health}`, `${rules.turns} turns`, `${rules.draws} draws`, `${rules.burns} burns`,
    `hand ${rules.hand_limit}`, `${cards.length} cards`]);
  replay.omitted.forEach((n, p) => {
    if (n) lines.push([`${n} more refused commands of ${playerName(p)} were not kept`]);
  });
  for (const parts of lines) byId("ends").append(make("div", "", parts.filter((part) => part !== null).join(" · ")));
}

start();
