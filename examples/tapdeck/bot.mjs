// A Tapdeck team in one file: Node's standard library, no packages.
//
//     TAPDECK_PASSWORD=secret node bot.mjs HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write.

import net from "node:net";
import process from "node:process";

const ME = -5, OPPONENT = -6, NOBODY = -1;
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
      this.ended ||= error.message;
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
const sum = (cards, field) => cards.reduce((total, card) => total + card[field], 0);

function readCard(line) {
  const [id, kind, ...rest] = line.split(" ");
  const [attack, health, , cost, mana, awake] = rest.map(Number);
  return { id: Number(id), kind, attack, health, cost, mana, awake: awake === 1 };
}

/** A reply with two counts: my cards and my opponent's. */
function twoLists([counts, ...lines]) {
  const cards = lines.map(readCard), mine = numbers(counts)[0];
  return [cards.slice(0, mine), cards.slice(mine)];
}

/** Block where the blocker survives; if all attackers together would kill me, block whatever I can. */
function chooseBlocks(attackers, blockers, health) {
  let coming = sum(attackers, "attack");
  const free = new Set(blockers.filter((card) => card.awake)), orders = [];
  for (const attacker of [...attackers].sort((a, b) => b.attack - a.attack)) {
    let fit = [...free].filter((card) => card.health > attacker.attack);
    if (fit.length === 0 && coming >= health) fit = [...free];
    if (fit.length === 0 || attacker.attack === 0) continue;
    const blocker = fit.sort((a, b) => a.health - b.health)[0];
    free.delete(blocker);
    coming -= attacker.attack;
    attacker.health -= blocker.attack;
    blocker.health -= attacker.attack;
    orders.push([attacker.id, blocker.id]);
  }
  return [orders, coming];
}

/** The target to play a card on; null if it would be wasted. */
function targetOf(card, mine, theirs, health) {
  const strongest = [...theirs].sort((a, b) => b.attack - a.attack)[0];
  switch (card.kind) {
    case "C": return NOBODY;
    case "T": return ME;
    case "H": return health.mine < health.full ? ME : null;
    case "B": return mine.length ? [...mine].sort((a, b) => b.attack - a.attack)[0].id : null;
    case "I": return strongest?.awake ? strongest.id : null;
    default: return card.attack < health.theirs && strongest && strongest.health <= card.attack ? strongest.id : OPPONENT;
  }
}

/** The commands of a whole turn. Nothing is hidden and nothing is random, so a turn can be planned to its end. */
function plan(match, [hp, limits, deck, hands, board, attackers]) {
  const [full, mineNow, theirsNow] = numbers(hp[0]), [draws, , handLimit] = numbers(limits[0]);
  const health = { full, mine: mineNow, theirs: theirsNow };
  const [hand] = twoLists(hands);
  let [mine, theirs] = twoLists(board);
  const attacking = new Set(attackers.slice(1).map((line) => readCard(line).id));
  const [blocks, damage] = chooseBlocks(theirs.filter((card) => attacking.has(card.id)), mine, health.mine);
  const commands = blocks.map(([attacker, blocker]) => `BLOCK ${match} ${attacker} ${blocker}`);
  health.mine -= damage;
  mine = mine.filter((card) => card.health > 0); // blocking ends here, and they all wake up
  theirs = theirs.filter((card) => card.health > 0);

  const drawn = deck.slice(1, 1 + Math.max(Math.min(draws, handLimit - hand.length), 0)).map(readCard);
  drawn.forEach(() => commands.push(`DRAW_CARD ${match}`));

  // Tap creatures for mana, the weakest attackers first, while there is a card to pay for. All others attack.
  const sources = mine.filter((card) => card.mana > 0).sort((a, b) => a.attack - b.attack || b.mana - a.mana);
  const tapped = new Set();
  let mana = 0;
  const order = (card) => [card.kind === "C" ? 0 : 1, -card.mana, -card.cost];
  const wishes = [...hand, ...drawn].sort((a, b) => {
    const x = order(a), y = order(b);
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  for (const card of wishes) {
    const target = targetOf(card, mine, theirs, health);
    if (target === null || card.cost > mana + sum(sources, "mana")) continue;
    while (mana < card.cost) {
      const source = sources.shift();
      tapped.add(source.id);
      mana += source.mana;
      commands.push(`ADD_MANA ${match} ${source.id}`);
    }
    mana -= card.cost;
    commands.push(`PLAY_CARD ${match} ${card.id} ${target}`);
    if (card.kind === "D" && target > 0) theirs = theirs.filter((other) => other.id !== target);
    else if (card.kind === "D") health.theirs -= card.attack;
  }
  const ready = mine.filter((card) => !tapped.has(card.id) && card.attack > 0);
  if (sum(theirs, "attack") < health.mine || sum(ready, "attack") >= health.theirs) {
    ready.forEach((card) => commands.push(`ATTACK ${match} ${card.id}`));
  }
  return commands;
}

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
      return seen.includes(null) || seen.at(-1)[0] !== turns.get(match) ? [] : plan(match, seen);
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
  if (!loggedIn || !(error instanceof Ended)) {
    console.error(error.message);
    process.exit(1);
  }
  console.log(error.message); // this is also how an event ends
}
