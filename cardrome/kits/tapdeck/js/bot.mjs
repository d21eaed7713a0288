// A Tapdeck team: it plays all its matches at once, over TCP, with nothing but Node's standard library.
//
//     TAPDECK_PASSWORD=secret node bot.mjs HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your
// ideas go into the functions between the two lines of ====; nothing else has to change.

import net from "node:net";
import process from "node:process";

const ME = -5, OPPONENT = -6, NOBODY = -1; // targets that are not creatures

// What `match` holds (see readMatch). Nothing is hidden.
//   turnsLeft                  this one included
//   fullHealth, myHealth, theirHealth
//   draws, burns, handLimit    cards that I may draw and burn in this turn
//   deck                       the next card first
//   hand, theirHand
//   mine, theirs               creatures on both sides of the board
//   attackers                  those of theirs that attack me now
// A card is { id, kind, attack, health, maxHealth, cost, mana, awake }:
//   kind    C creature, H heal, D damage, T take, B buff, I deactivate
//   mana    what a creature gives when it is tapped
//   awake   of creatures on the board: it can block, and after blocking attack or be tapped

// ==================================================== your ideas =====================================================

/** The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end. */
function plan(match) {
  const commands = [];

  // Block where the blocker survives; if all attackers together would kill me, block whatever I can.
  let coming = sum(match.attackers, "attack");
  for (const attacker of [...match.attackers].sort((a, b) => b.attack - a.attack)) {
    const dies = (card) => (card.health <= attacker.attack ? 1 : 0);
    const [blocker] = match.mine
      .filter((card) => card.awake && (!dies(card) || coming >= match.myHealth))
      .sort((a, b) => dies(a) - dies(b) || a.health - b.health);
    if (attacker.attack === 0 || !blocker) continue;
    commands.push(`BLOCK ${attacker.id} ${blocker.id}`);
    blocker.awake = false;
    blocker.health -= attacker.attack;
    attacker.health -= blocker.attack;
    coming -= attacker.attack;
  }
  match.myHealth -= coming;
  match.mine = match.mine.filter((creature) => creature.health > 0);
  match.theirs = match.theirs.filter((creature) => creature.health > 0);
  for (const creature of match.mine) creature.awake = true; // as soon as blocking is over

  // Draw what I may. Its cards can be played at once.
  const drawn = match.deck.slice(0, Math.max(Math.min(match.draws, match.handLimit - match.hand.length), 0));
  for (const _ of drawn) commands.push("DRAW_CARD");

  // Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest attackers first.
  let mana = 0;
  const sources = match.mine.filter((card) => card.mana > 0).sort((a, b) => a.attack - b.attack || b.mana - a.mana);
  const isSpell = (card) => (card.kind === "C" ? 0 : 1);
  const wishes = [...match.hand, ...drawn];
  wishes.sort((a, b) => isSpell(a) - isSpell(b) || b.mana - a.mana || b.cost - a.cost);
  for (const card of wishes) {
    const target = findTarget(match, card);
    if (target === null || card.cost > mana + sum(sources, "mana")) continue;
    while (mana < card.cost) {
      const source = sources.shift();
      commands.push(`ADD_MANA ${source.id}`);
      mana += source.mana;
      source.awake = false;
    }
    mana -= card.cost;
    commands.push(`PLAY_CARD ${card.id} ${target}`);
    if (card.kind === "D" && target === OPPONENT) match.theirHealth -= card.attack;
    else if (card.kind === "D") match.theirs = match.theirs.filter((creature) => creature.id !== target);
  }

  // Attack with all that were not tapped, unless their answer could kill me first.
  const ready = match.mine.filter((creature) => creature.awake && creature.attack > 0);
  const safe = sum(match.theirs, "attack") < match.myHealth;
  if (safe || sum(ready, "attack") >= match.theirHealth) {
    for (const creature of ready) commands.push(`ATTACK ${creature.id}`);
  }
  return commands;
}

/** The target to play a card on; null if it would be wasted. */
function findTarget(match, card) {
  const strongestOf = (creatures) => [...creatures].sort((a, b) => b.attack - a.attack)[0];
  const enemy = strongestOf(match.theirs);
  switch (card.kind) {
    case "C": return NOBODY;
    case "T": return ME;
    case "H": return match.myHealth < match.fullHealth ? ME : null;
    case "B": return strongestOf(match.mine)?.id ?? null;
    case "I": return enemy?.awake ? enemy.id : null;
    default: return card.attack < match.theirHealth && enemy?.health <= card.attack ? enemy.id : OPPONENT;
  }
}

const sum = (cards, field) => cards.reduce((total, card) => total + card[field], 0);

// ===================================================== the frame =====================================================

const ONE_LINE = new Set(["GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD"]);
const COUNTED = new Set(["GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"]);
// The turn is asked again behind everything else: if it has changed, the answers do not fit together.
const QUESTIONS = ["GET_HP", "GET_CARD_LIMITS", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS", "GET_TURN_INFO"];

class Ended extends Error {}

/** A connection that collects lines as they arrive; `line()` returns them one by one. */
class Server {
  constructor(host, port) {
    this.lines = [];
    this.waiting = null;
    this.ended = "";
    this.rest = "";
    this.socket = net.connect({ host, port, noDelay: true });
    this.socket.setEncoding("utf8");
    this.socket.on("data", (text) => {
      const parts = (this.rest + text).split("\n");
      this.rest = parts.pop();
      this.lines.push(...parts);
      this.wake();
    });
    const end = (error) => {
      this.ended ||= error.message || error.code; // an error with several causes has no message
      this.wake();
    };
    this.socket.on("error", end);
    this.socket.on("close", () => end(new Error("the server ended the connection")));
  }

  wake() {
    const waiting = this.waiting;
    this.waiting = null;
    waiting?.();
  }

  async line() {
    while (this.lines.length === 0) {
      if (this.ended) throw new Ended(this.ended);
      await new Promise((resolve) => { this.waiting = resolve; });
    }
    return this.lines.shift().trim();
  }

  async expect(wanted) {
    const said = await this.line();
    if (said !== wanted) throw new Error(`expected ${wanted}, the server said: ${said}`);
  }

  async logIn(team, password) {
    for (const [question, answer] of [["LOGIN", team], ["PASS", password]]) {
      await this.expect(question);
      this.socket.write(`${answer}\n`);
    }
    await this.expect("OK");
  }

  /** Send many commands at once. Returns the data lines of each reply; null where a command was refused. */
  async ask(commands) {
    if (commands.length > 0) this.socket.write(commands.map((command) => `${command}\n`).join(""));
    const replies = [];
    for (const command of commands) replies.push(await this.reply(command.split(" ")[0]));
    return replies;
  }

  async reply(name) {
    const status = await this.line();
    if (status.startsWith("ERR")) {
      const code = Number(status.split(" ")[1]);
      if (code === 6) await this.expect("OK"); // too many commands: an OK follows when the next turn starts
      else if (code !== 913 && code !== 932) console.error(`${name}: ${status}`); // these two: it came too late
      return null;
    }
    if (name === "WAIT") await this.expect("OK");
    let n = name === "GET_MY_MATCHES" ? 2 : ONE_LINE.has(name) ? 1 : 0;
    const lines = [];
    if (COUNTED.has(name)) {
      lines.push(await this.line());
      n = numbers(lines[0]).reduce((a, b) => a + b, 0);
    }
    for (let i = 0; i < n; i++) lines.push(await this.line());
    return lines;
  }
}

const numbers = (line) => line.split(" ").map(Number);

function readCard(line) {
  const [id, kind, ...rest] = line.split(" ");
  const [attack, health, maxHealth, cost, mana, awake] = rest.map(Number);
  return { id: Number(id), kind, attack, health, maxHealth, cost, mana, awake: awake === 1 };
}

/** A reply with two counts: my cards and my opponent's. */
function twoLists([counts, ...lines]) {
  const cards = lines.map(readCard), mine = numbers(counts)[0];
  return [cards.slice(0, mine), cards.slice(mine)];
}

/** The answers to the questions about a match. */
function readMatch([hp, limits, deckLines, hands, board, attackerLines, turn]) {
  const [fullHealth, myHealth, theirHealth] = numbers(hp[0]), [draws, burns, handLimit] = numbers(limits[0]);
  const [hand, theirHand] = twoLists(hands), [mine, theirs] = twoLists(board);
  const deck = deckLines.slice(1).map(readCard), turnsLeft = numbers(turn[0])[1];
  const attacking = new Set(attackerLines.slice(1).map((line) => readCard(line).id));
  const attackers = theirs.filter((card) => attacking.has(card.id));
  return {
    turnsLeft, fullHealth, myHealth, theirHealth, draws, burns, handLimit, deck, hand, theirHand, mine, theirs, attackers,
  };
}

/** Play turn after turn, in all matches at once. */
async function play(server) {
  for (;;) {
    const [reply] = await server.ask(["GET_MY_MATCHES"]);
    const matches = reply?.[1] ? reply[1].split(" ") : [];
    const infos = await server.ask(matches.map((match) => `GET_TURN_INFO ${match}`));
    const turns = new Map(matches.map((match, i) => [match, infos[i]?.[0]]));
    const toMove = matches.filter((match) => turns.get(match)?.startsWith("1 "));
    const answers = await server.ask(toMove.flatMap((match) => QUESTIONS.map((question) => `${question} ${match}`)));
    const commands = toMove.flatMap((match, i) => {
      const seen = answers.slice(i * QUESTIONS.length, (i + 1) * QUESTIONS.length);
      if (seen.includes(null) || seen.at(-1)[0] !== turns.get(match)) return [];
      return plan(readMatch(seen)).map((command) => command.replace(/^\w+/, (name) => `${name} ${match}`));
    });
    await server.ask(commands);
    await server.ask(["WAIT"]);
  }
}

const [host, port, team] = process.argv.slice(2);
if (!team || !process.env.TAPDECK_PASSWORD) {
  console.error("usage: TAPDECK_PASSWORD=... node bot.mjs HOST PORT TEAM");
  process.exit(1);
}
let loggedIn = false;
try {
  const server = new Server(host, Number(port));
  await server.logIn(team, process.env.TAPDECK_PASSWORD);
  loggedIn = true;
  await play(server);
} catch (error) {
  if (loggedIn && error instanceof Ended) {
    console.log(error.message); // this is also how an event ends
  } else {
    const why = error instanceof Ended ? `no connection to ${host}:${port}: ${error.message}. Is the event running?` : error.message;
    console.error(why);
    process.exit(1);
  }
}
