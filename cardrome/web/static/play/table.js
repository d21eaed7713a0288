// A game in play: draft or deck building, then the battle. The server holds the game; this shows what it sends, deed by deed,
// and posts what the person does.
import "./battle.js";
import "./builder.js";
import "./draft.js";
import { confirmResigning, ending, endPanel, helpDialog } from "./dialogs.js";
import { Moves } from "./moves.js";
import { consequences, told } from "./forecast.js";
import { LostConnection, Refused, Server } from "./server.js";
import { defs } from "../cards/card.js";
import { cardName } from "../cards/words.js";
import { pause, STILL } from "../match/pace.js";
import { Recording } from "../replay/recording.js";
import { sentence } from "../replay/deeds.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const PATIENCE = [1, 2, 4, 8, 15];  // s until the next try, when the server cannot be reached
const KEYS = { u: "undo", h: "hint", "?": "help" };

export class CardromeTable extends HTMLElement {
  #server = null;
  #state = null;
  #shown = -1;
  #busy = false;
  #skip = null;
  #view = null;
  #spoken = h("p", { class: "vh", "aria-live": "polite", id: "spoken" });
  #alert = h("div", { class: "warning", role: "alert", hidden: true });
  #over = null;
  #keyboard = false;  // whether the last thing pressed was a key

  // Show a game as the server tells it, at its present moment.
  load(data) {
    this.#server = new Server(data.id);
    this.game = new Recording(data);
    this.game.players[data.seat] = t("play.you");
    document.title = `${t("play.against", { name: data.opponent })} · ${data.edition}`;
    this.addEventListener("play", (event) => this.#play(event.detail));
    this.addEventListener("want", (event) => this.#want(event.detail));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", () => { this.#keyboard = false; });
    this.replaceChildren(defs(), this.#spoken, this.#alert);
    this.#state = { ...data, moves: new Moves(data.moves) };
    this.#shown = this.game.last;
    this.#draw(false);
    this.#settle();
    if (this.#state.moves.formality) this.#play(this.#state.moves.formality);
  }

  // What the server answered: keep what it keeps, add what is new, and show it.
  async #receive(answer) {
    const { game } = this, onwards = answer.frames.length > 0 && answer.from >= this.#shown;
    Object.assign(game.data.things, answer.things);
    game.data.outcome = answer.outcome;
    game.grow(answer.from, answer.frames);
    this.#state = { ...answer, moves: new Moves(answer.moves) };
    if (onwards) {
      this.#shown = Math.min(this.#shown, answer.from - 1);  // a choice takes the place of the offer
      await this.#run();
    } else {
      this.#shown = game.last;
      this.#draw(false);
    }
    const { moves: { formality }, at } = this.#state;
    if (formality) await this.#receive(await this.#patiently(() => this.#server.move(formality.code, at)));
    else this.#settle();
  }

  // Show the new frames one after another: the person's own at once, the opponent's at a pace that can be followed.
  async #run() {
    const { game } = this;
    let skipped = false;
    const wait = (ms) => (skipped || ms <= 0 ? null : new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#skip = () => { skipped = true; clearTimeout(timer); resolve(); };
    }));
    while (this.#shown < game.last) {
      const frame = game.frames[this.#shown + 1], { deed } = frame, theirs = deed?.player === 1 - game.near && deed.kind !== "turn";
      if (frame.kind === "battle" && deed && !STILL.matches && !skipped && this.#view?.lunge) await wait(this.#view.lunge(deed));
      this.#shown += 1;
      if (frame.kind === "decks") continue;
      this.#draw(!STILL.matches && !skipped);
      if (deed) this.#say(this.#caption(frame));
      if (frame.kind === "battle" && deed?.player === 1 - game.near) this.#view.watch(t("play.watching", { name: game.players[1 - game.near] }));
      if (theirs && this.#shown < game.last && !STILL.matches) await wait(pause(frame) * 0.7);
    }
    this.#skip = null;
  }

  #draw(animate) {
    const { game } = this, n = this.#shown, frame = game.frames[n], tag = frame.kind === "draft" ? (game.data.slots && frame.offer.length ? "cardrome-draft" : "cardrome-builder") : "cardrome-battle";
    if (this.#view?.localName !== tag) {
      const focused = this.contains(document.activeElement);
      this.#view?.remove();
      this.#view = h(tag);
      this.append(this.#view);
      this.#view.build(game);
      if (focused) this.#busyFocus();
    }
    const before = game.frames[n - 1];
    this.#view.show(frame, before?.kind === frame.kind ? before : null, animate);
  }

  #busyFocus() { this.tabIndex = -1; this.focus({ preventScroll: true }); }

  // The person's turn, or the end.
  #settle() {
    const { game } = this, { over, moves, undo } = this.#state;
    this.#over?.remove();
    this.#over = null;
    if (over) {
      this.#view.watch(ending(game), true);
      this.#over = endPanel(game, this.#server, this.#state, (swap) => this.#rematch(swap));
      this.append(this.#over);
      this.#over.querySelector("h2").focus();
      this.#say(ending(game));
    } else {
      this.#view.ask(moves, undo);
      if (this.#keyboard) this.#view.focusNext();
    }
  }

  // A deed in words, for those who listen.
  #caption(frame) {
    const { game } = this, { deed } = frame, own = frame.picks?.[game.near];
    if (deed.kind === "turn" && deed.player === game.near) return t("turn.yours-spoken", { n: frame.turn });
    if (deed.kind === "turn") return t("turn.spoken", { n: frame.turn, name: game.players[deed.player] });
    if (deed.kind === "offer") return "";
    if (deed.kind === "pick") return own === null ? "" : t("play.took", { card: cardName(game.data.cards[own]) });
    const said = sentence(game, frame).map((part) => part.textContent ?? part).join(""), effects = consequences(game, deed);
    return effects ? t("play.spoken", { deed: said, effects }) : said;
  }

  #say(text) { if (text) this.#spoken.append(h("span", {}, text, ". ")); while (this.#spoken.childNodes.length > 6) this.#spoken.firstChild.remove(); }

  // Asking the server

  // Ask the server, one thing at a time. What cannot reach it is tried again; it is not done twice, because of `at`.
  async #ask(question, use) {
    if (this.#busy) return;
    this.#setBusy(true);
    try {
      await use(await this.#patiently(question));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#complain(error.gone ? t("play.gone") : error.message, error.gone);
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy) {
    this.#busy = busy;
    this.setAttribute("aria-busy", busy);
  }

  async #patiently(question) {
    for (let tried = 0; ; tried++) {
      try {
        const answer = await question();
        this.#alert.hidden = true;
        return answer;
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        await this.#waitFor(PATIENCE[Math.min(tried, PATIENCE.length - 1)]);
      }
    }
  }

  #waitFor(seconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      this.#alert.replaceChildren(t("play.lost"), " ", h("button", { type: "button", class: "btn", onclick: () => { clearTimeout(timer); resolve(); } }, t("play.retry")));
      this.#alert.hidden = false;
    });
  }

  #complain(text, final) {
    this.#alert.replaceChildren(text, " ", final ? h("a", { class: "btn", href: "/play" }, t("play.new")) : h("button", { type: "button", class: "btn", onclick: () => location.reload() }, t("play.reload")));
    this.#alert.hidden = false;
  }

  #post(question) { return this.#ask(question, (answer) => this.#receive(answer)); }

  #play(move) { return this.#post(() => this.#server.move(move.code, this.#state.at)); }

  async #want(what) {
    const { at } = this.#state, [name, card] = Array.isArray(what) ? what : [what];
    if (name === "skip") return this.#skip?.();
    if (name === "help") return helpDialog(this);
    if (name === "result") return this.#settle();
    if (this.#state.over) return undefined;
    if (name === "resign") return (await confirmResigning(this)) && this.#post(() => this.#server.resign());
    if (name === "undo") return this.#state.undo ? this.#post(() => this.#server.undo(at)) : undefined;
    if (name === "drop") return this.#post(() => this.#server.drop(card, at));
    if (name === "complete") return this.#post(() => this.#server.complete(at));
    return this.#hint();
  }

  #hint() {
    return this.#ask(() => this.#server.hint(), ({ code, agent }) => {
      const move = this.#state.moves.find(code);
      if (!move) return;
      this.#view.suggest(move, agent);
      this.#say(`${t("play.hint-of", { agent })} ${move.card === undefined ? told(this.game, move) : cardName(this.game.data.cards[move.card])}`);
    });
  }

  #rematch(swap) { return this.#ask(() => this.#server.rematch(swap), ({ id }) => location.assign(`/play/${id}`)); }

  #key(event) {
    this.#keyboard = true;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]:modal") || event.target.closest?.("input, select, textarea")) return;
    const { moves, over } = this.#state, name = KEYS[event.key.toLowerCase()];
    if (this.#skip && ["Escape", " ", "Enter"].includes(event.key)) this.#skip();
    else if (this.#over?.isConnected && event.key === "Escape") this.#over.remove();
    else if (this.#busy || over) return;
    else if (name) this.#want(name);
    else if (event.key.toLowerCase() === "e" && moves.end) this.#play(moves.end);
    else if (!this.#view.key(event)) return;
    event.preventDefault();
  }
}

customElements.define("cardrome-table", CardromeTable);
