// The server of a game in play. It holds the game. What is asked twice is done once, because every move names the state
// (`at`) that it was chosen in.

export class LostConnection extends Error {}
export class Refused extends Error {
  constructor(text, gone) {
    super(text);
    this.gone = gone;  // the server does not know the game, or no longer
  }
}

// Ask the server. `LostConnection` if it cannot be reached or is in trouble, `Refused` if it will not.
export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...options.headers, Accept: "application/json" }, cache: "no-store" });
  } catch (error) {
    throw new LostConnection(error.message);
  }
  const found = await answer.json().catch(() => ({})), { error = answer.statusText } = found;
  if (answer.status >= 500 || answer.status === 429) throw new LostConnection(error);
  if (!answer.ok) throw new Refused(error, answer.status === 404);
  return found;
}

export class Server {
  constructor(id) { this.path = `/play/games/${encodeURIComponent(id)}`; }

  get replay() { return `${this.path}/replay`; }

  load() { return ask(this.path); }

  move(code, at) { return ask(`${this.path}/moves`, { code, at }); }

  undo(at) { return ask(`${this.path}/undo`, { at }); }

  // While a deck is built: put a card back, or let an agent choose the rest.
  drop(card, at) { return ask(`${this.path}/drop`, { card, at }); }

  complete(at) { return ask(`${this.path}/complete`, { at }); }

  hint() { return ask(`${this.path}/hint`, {}); }

  resign() { return ask(`${this.path}/resign`, {}); }

  rematch(swap) { return ask(`${this.path}/rematch`, { swap }); }
}
