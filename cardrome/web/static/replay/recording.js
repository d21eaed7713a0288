// A recorded game as pages walk through it: whole frames made of what changed, turns, faults, addresses of moments.
// A game in play is a recording that grows.

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function merged(before, changes) {
  const after = { ...before };
  for (const [key, value] of Object.entries(changes)) {
    after[key] = isObject(value) && isObject(after[key]) ? merged(after[key], value) : value;
  }
  return after;
}

export class Recording {
  constructor(data) {
    this.data = data;
    this.players = data.players;
    this.near = data.seat ?? 0;  // the player who is shown below
    this.frames = [];
    this.grow(0, data.frames);
  }

  // Keep the first frames, and add what came after them.
  grow(kept, added) {
    this.frames.length = kept;
    let shown = this.frames.at(-1) ?? {};
    for (const { deed = null, ...changes } of added) this.frames.push(shown = { ...merged(shown, changes), deed });
    this.last = this.frames.length - 1;
    this.starts = [];  // the frames at which turns begin; the draft and the decks count as such
    this.faults = [];
    this.frames.forEach(({ kind, deed }, n) => {
      if (deed?.kind === "turn" || n === 0 || (kind === "decks" && this.frames[n - 1].kind !== "decks")) this.starts.push(n);
      if (deed?.kind === "illegal" || deed?.kind === "fault") this.faults.push(n);
    });
  }

  card(thing) { return this.data.cards[this.data.things[thing]]; }

  // A creature on the board as a card with its present numbers, and the card as it would be unhurt.
  creature([thing, attack, defense, keywords, , most]) {
    const card = { ...this.card(thing), attack, defense, keywords }, base = this.card(thing);
    return most === undefined ? [card, base] : [{ ...card, most }, { ...base, defense: most }];
  }

  // How likely the first player is to win, as pairs of a frame and a chance; null if nobody has analysed the game.
  get chances() {
    const { evaluation } = this.data;
    if (!evaluation?.length) return null;
    const at = evaluation.length === this.frames.length ? null : this.starts.filter((n) => this.frames[n].kind === "battle");
    return evaluation.map((chance, i) => [at ? at[i] : i, chance]).filter(([n, chance]) => n !== undefined && chance !== null);
  }

  // Take what an agent thinks of the game.
  review({ evaluation, reviews }) {
    this.data.evaluation = evaluation;
    for (const [n, review] of reviews) this.frames[n].deed.review = review;
  }

  startOf(n) { return this.starts.findLast((start) => start <= n) ?? 0; }

  // Where a moment is: `turn=12.3` is the third action of turn 12, `draft=7` the seventh card.
  address(n) {
    const frame = this.frames[n];
    if (frame.kind === "draft") return `draft=${frame.round + 1}`;
    if (frame.kind === "decks") return "decks";
    const action = n - this.startOf(n);
    return `turn=${frame.turn}${action ? `.${action}` : ""}`;
  }

  // The moment of an address; the end for turns after it, the beginning if there is no such moment.
  find(address) {
    const [, kind, number, action = 0] = /^#?(draft|turn|decks)(?:=(\d+)(?:\.(\d+))?)?$/.exec(address) ?? [];
    const at = {
      draft: () => this.frames.findIndex((frame) => frame.kind === "draft" && frame.round === number - 1),
      decks: () => this.frames.findIndex((frame) => frame.kind === "decks"),
      turn: () => this.starts.find((n) => this.frames[n].kind === "battle" && this.frames[n].turn === Number(number)) ?? (number > this.frames[this.last].turn ? this.last : -1),
    }[kind]?.() ?? -1;
    if (at < 0) return 0;
    const next = this.starts.find((start) => start > at) ?? this.last + 1;
    return Math.min(at + Number(action), next - 1);
  }

  // How long a player took for each of their turns, in ms.
  times(player) {
    return this.frames.flatMap(({ deed }) => (deed?.kind === "turn" && deed.player === player && deed.ms !== undefined ? [deed.ms] : []));
  }
}
