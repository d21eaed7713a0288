// The legal moves, as the server sends them, sorted by what a person can point at.

const ENDING = ["finish", "pass"];
const FROM_DECK = ["draw", "burn"];
const FROM_HAND = ["summon", "play", "use", "cast"];

// Where a move leads: a thing, a player, or a lane ("any": the board as a whole); null if it needs no place.
export function placeOf(move) {
  if (move.target !== undefined) return { target: move.target };
  if (move.foe !== undefined) return { foe: move.foe };
  if (move.lane !== undefined) return { lane: move.lane };
  return FROM_HAND.includes(move.kind) ? { lane: "any" } : null;
}

const same = (a, b) => a.target === b.target && a.foe === b.foe && (a.lane === b.lane || (a.lane !== undefined && (a.lane === "any" || b.lane === "any")));

export class Moves {
  #byActor = new Map();

  constructor(list) {
    this.list = list;
    for (const move of list) {
      if (move.actor === undefined || FROM_DECK.includes(move.kind)) continue;
      this.#byActor.set(move.actor, [...(this.#byActor.get(move.actor) ?? []), move]);
    }
  }

  // What can be chosen; what can only be thrown away comes last.
  get actors() { return [...this.#byActor.keys()].sort((a, b) => this.useful(b) - this.useful(a)); }

  // Whether something can do more than be thrown away.
  useful(actor) { return this.of(actor).some(({ kind }) => kind !== "discard"); }

  of(actor) { return this.#byActor.get(actor) ?? []; }

  // The move of an actor that leads to a place.
  to(actor, place) { return this.of(actor).find((move) => { const own = placeOf(move); return own && place && same(own, place); }); }

  // Moves of an actor that lead nowhere: buttons.
  plain(actor) { return this.of(actor).filter((move) => placeOf(move) === null); }

  kind(kind) { return this.list.filter((move) => move.kind === kind); }

  find(code) { return this.list.find((move) => move.code === code); }

  // What ends the turn, or the part of it that is on.
  get end() { return ENDING.map((kind) => this.kind(kind)[0]).find(Boolean); }

  // The only thing that can be done, if it changes nothing: nobody need be asked.
  get formality() { return this.open === 0 && this.end?.kind === "finish" && !this.end.changes?.length ? this.end : undefined; }

  // How many other moves there are.
  get open() { return this.list.filter(({ kind }) => !ENDING.includes(kind)).length; }
}
