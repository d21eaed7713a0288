// A bot for Legends of Code and Magic that plays every edition.
//
// It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
// lines of ====; nothing else has to change. Never print anything but answers: debug with console.error.

import process from "node:process";
import readline from "node:readline";

const CREATURE = 0, GREEN = 1, RED = 2, BLUE = 3; // types of cards; all but creatures are items
const HAND = 0, MINE = 1, THEIRS = -1; // where a card is: in my hand, on my board, on my opponent's board
const TARGET = 0, LANE1 = 1, LANE2 = 2; // what a card works on: one creature, all of its lane, both lanes
const FACE = -1; // the target that means my opponent, not a creature

// What `turn` holds (see readTurn):
//   me, opponent      { health, mana, deck, rune, draw }
//     mana            at the start of the turn; 0 before the battle
//     deck            cards left to draw
//     rune            the next health at which a card is drawn; 0 where there are no runes
//     draw            cards drawn this turn (my opponent: next turn); 0 in editions that do not say
//   opponentHand      how many cards my opponent holds
//   opponentActions   what they did in their last turn, as "cardNumber ACTION"
//   lanes             1 or 2
//   cards             { number, id, location, type, cost, attack, defense, abilities,
//                       myHealth, opponentHealth, draw, area, lane }
//     number, id      which card it is, and which copy of it: actions name cards by their ids
//     abilities       Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", with - for what is missing
//     myHealth, opponentHealth, draw   what playing it does to both players, and cards it draws me next turn
//     area            TARGET in editions without areas
//     lane            0 or 1 on the board, -1 elsewhere

// ==================================================== your ideas =====================================================

/** How much I want a card in my deck. */
function value(card) {
  let worth = Math.abs(card.attack) + Math.abs(card.defense) + card.abilities.replaceAll("-", "").length;
  worth += card.myHealth / 2 - card.opponentHealth / 2 + 2 * card.draw;
  if (card.area !== TARGET) worth *= 1.5;
  return worth - 2.5 * card.cost - (card.type === CREATURE ? 0 : 3);
}

/** Draft: three cards are offered thirty times, and I take one. */
function pick(turn) {
  const values = turn.cards.map(value);
  return `PICK ${values.indexOf(Math.max(...values))}`;
}

/** Constructed (1.5): choose thirty of all cards at once, at most two of each. */
function construct(turn) {
  const best = [...turn.cards].sort((a, b) => value(b) - value(a)).slice(0, 15);
  return best.map((card) => `CHOOSE ${card.number};CHOOSE ${card.number}`).join(";");
}

/** One turn of the battle, as a list of actions. They are carried out in this order. */
function battle(turn) {
  const at = (location) => turn.cards.filter((card) => card.location === location);
  const actions = [];
  let mana = turn.me.mana;
  let mine = at(MINE), theirs = at(THEIRS);
  const hand = at(HAND).sort((a, b) => b.cost - a.cost);
  const attackers = [...mine];

  // Summon the dearest creatures that I can pay, each into the lane where I have fewer.
  const room = Array(turn.lanes).fill(6 / turn.lanes);
  for (const card of mine) room[card.lane]--;
  for (const card of hand) {
    const lane = room.indexOf(Math.max(...room));
    if (card.type !== CREATURE || card.cost > mana || room[lane] <= 0) continue;
    actions.push(turn.lanes === 2 ? `SUMMON ${card.id} ${lane}` : `SUMMON ${card.id}`);
    mana -= card.cost;
    room[lane]--;
    if (card.area !== TARGET) room[card.area === LANE1 ? lane : 1 - lane]--; // a second one appears, if it has room
    card.lane = lane;
    mine.push(card);
    if (card.abilities.includes("C")) attackers.push(card); // all others have to wait a turn
  }

  // Attack: creatures with Guard have to be dealt with first, then my opponent.
  for (const card of attackers) {
    if (card.attack === 0) continue;
    const guards = theirs.filter((enemy) => enemy.lane === card.lane && enemy.abilities.includes("G"));
    const [guard] = guards.sort((a, b) => a.defense - b.defense);
    actions.push(`ATTACK ${card.id} ${guard ? guard.id : FACE}`);
    if (!guard) continue;
    strike(card, guard);
    strike(guard, card);
    theirs = theirs.filter((enemy) => enemy.defense > 0);
  }
  mine = mine.filter((card) => card.defense > 0);

  // Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
  for (const card of hand) {
    if (card.type === CREATURE || card.cost > mana) continue;
    const [strongest] = [...(card.type === GREEN ? mine : theirs)].sort((a, b) => b.attack - a.attack);
    if (card.type !== BLUE && !strongest) continue;
    actions.push(`USE ${card.id} ${card.type === BLUE ? FACE : strongest.id}`);
    mana -= card.cost;
    if (card.type === RED) theirs = []; // whoever it hits may be gone: one red item a turn is enough
  }
  return actions;
}

/** What the blow of one creature does to another. In a fight both strike. */
function strike(attacker, defender) {
  if (attacker.attack <= 0) return;
  if (defender.abilities.includes("W")) defender.abilities = defender.abilities.replace("W", "-");
  else if (attacker.abilities.includes("L")) defender.defense = 0;
  else defender.defense -= attacker.attack;
}

// ===================================================== the frame =====================================================

/** The line to answer. Before the battle I have no mana; in it I have some. */
function decide(turn) {
  if (turn.me.mana === 0) return turn.cards.length === 3 ? pick(turn) : construct(turn);
  if (turn.me.health <= 0) return "PASS"; // I am dead: the referee still wants an answer
  return battle(turn).join(";") || "PASS";
}

function readPlayer(line, hasActions) {
  const [health, mana, deck, ...rest] = line.split(" ").map(Number);
  if (rest.length === 2) return { health, mana, deck, rune: rest[0], draw: rest[1] };
  return { health, mana, deck, rune: hasActions ? 0 : rest[0], draw: hasActions ? rest[0] : 0 };
}

function readCard(line) {
  const words = line.trim().split(" "), abilities = words[7];
  const [number, id, location, type, cost, attack, defense, , myHealth, opponentHealth, draw] = words.map(Number);
  const area = words.length === 13 ? Number(words[11]) : TARGET;
  const lane = words.length > 11 ? Number(words.at(-1)) : 0;
  return { number, id, location, type, cost, attack, defense, abilities, myHealth, opponentHealth, draw, area, lane };
}

/** Read all that the referee sends before it waits for an answer. Editions differ in what a line holds. */
async function readTurn(lines) {
  const next = async () => {
    const { value: line, done } = await lines.next();
    if (done) process.exit(0); // the referee ends a game by closing the input
    return line;
  };
  const [me, opponent, third] = [await next(), await next(), await next()];
  const [opponentHand, actions] = third.split(" ").map(Number);
  const hasActions = actions !== undefined; // the oldest editions do not tell what my opponent did
  const opponentActions = [], cards = [];
  for (let i = 0; i < (actions ?? 0); i++) opponentActions.push(await next());
  let lanes = 1;
  for (let i = Number(await next()); i > 0; i--) {
    const line = await next();
    if (line.trim().split(" ").length > 11) lanes = 2;
    cards.push(readCard(line));
  }
  const players = { me: readPlayer(me, hasActions), opponent: readPlayer(opponent, hasActions) };
  return { ...players, opponentHand, opponentActions, lanes, cards };
}

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (;;) console.log(decide(await readTurn(lines)));
