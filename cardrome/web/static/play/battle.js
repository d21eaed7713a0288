// The battle as a person plays it: choose a card or a creature, see where it can go and what that would do, and play it by
// click, drag or keyboard. Events: `play` (a move), `want` (undo, hint, skip, resign, help). What is legal and what it would
// do, the server has said.
import { cardElement } from "../cards/card.js";
import { icon, keywordIcon } from "../cards/icons.js";
import { cardLines, cardName } from "../cards/words.js";
import { consequences, labels, spokenMove, summary } from "./forecast.js";
import { drags } from "./drag.js";
import { ARROWS, keepingFocus, neighbour } from "./focus.js";
import { river } from "../match/board.js";
import { rail } from "../match/hero.js";
import { placeOf } from "./moves.js";
import { chipsOf, sentence, sideOf, signOf } from "../replay/deeds.js";
import { figure, h, nodes, signed } from "../markup.js";
import { t } from "../words.js";

const DECK_MOVES = [["draw", "draw", "draws"], ["burn", "burn", "burns"]];

export class CardromeBattle extends HTMLElement {
  #part = {};
  #moves = null;  // null while the person only watches
  #undo = 0;
  #chosen = null;
  #aim = null;
  #hint = null;
  #frame = null;

  // Furnish the page for a game.
  build(game) {
    this.game = game;
    this.classList.add("match", "playing");
    this.classList.toggle("shared-deck", !game.data.slots);
    const part = this.#part = {
      rail: h("aside", { class: "rail", "aria-label": t("play.players") }), board: h("cardrome-board"), read: h("div", { class: "reading" }), recent: h("div", { class: "recent" }), hint: h("div", { class: "hint", hidden: true }),
      phase: h("section", { class: "phase", hidden: true }), deck: h("div", { class: "riverbox" }), message: h("div", { class: "msg" }), choices: h("div", { class: "choices" }), acts: h("div", { class: "acts" }),
    };
    part.board.game = game;
    this.replaceChildren(h("h1", { class: "vh" }, t("play.against", { name: game.players[1 - game.near] })), part.rail, h("section", { class: "boardbox", "aria-label": t("lane.only") }, part.board),
      h("aside", { class: "side", "aria-label": t("play.side") }, part.phase, h("section", { class: "read" }, part.read, part.recent), part.hint),
      part.deck, h("footer", { class: "foot" }, h("div", { class: "say" }, part.message, part.choices), part.acts));
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") this.#look(event.target); });
    this.addEventListener("focusin", (event) => this.#look(event.target));
    drags(this, {
      start: (card) => this.#open(card) && (this.#choose(Number(card.dataset.thing)), true),
      over: (element, point) => { const move = this.#moveTo(element); this.#aim = move ?? null; this.#plan(move ? null : point); },
      drop: (element) => { const move = this.#moveTo(element); if (move) this.#play(move); else this.cancel(); },
    });
  }

  // Show a frame as it happens; `before` is the one before, if it is a battle's.
  show(frame, before, animate) {
    const { game } = this, part = this.#part;
    this.#frame = frame;
    part.rail.replaceChildren(...rail(game, frame, before, animate));
    part.board.show(frame, before, [true, true], animate);
    if (frame.river !== undefined) river(part.deck, game, frame.river, this.#deckMoves(frame));
    this.#recent();
  }

  // The actor of the coming deed moves; returns for how long.
  lunge(deed) { return this.#part.board.lunge(deed); }

  // It is the person's turn: these are their moves.
  ask(moves, undo) {
    [this.#moves, this.#undo, this.#hint] = [moves, undo, null];
    this.#part.hint.hidden = true;
    this.cancel();
    this.#deck();
  }

  // The opponent moves, or the game is over: nothing can be chosen.
  watch(text, over = false) {
    [this.#moves, this.#chosen, this.#aim, this.#hint] = [null, null, null, null];
    this.#part.hint.hidden = true;
    this.#part.phase.hidden = true;
    this.#places();
    this.#deck();
    this.#say(text, "");
    this.#part.choices.replaceChildren();
    this.#part.acts.replaceChildren(over ? this.#button("result", "trophy", "play.result", "endturn") : this.#button("skip", "ffwd", "play.skip", "gold endturn"));
  }

  // Show a move that an agent recommends, ready to be played.
  suggest(move, agent) {
    this.#hint = move;
    if (this.#moves.of(move.actor).includes(move)) this.#choose(move.actor);
    else this.cancel();
    this.#aim = placeOf(move) ? move : this.#aim;
    this.#plan();
    this.#part.hint.hidden = false;
    this.#part.hint.replaceChildren(...nodes([icon("bulb", 18), h("span", {}, h("b", {}, t("play.hint-of", { agent })), " ", move.kind === "pass" ? t("play.end") : sentence(this.game, { deed: move }), h("span", { class: "fx" }, move.kind === "pass" ? [] : chipsOf(this.game, move)))]));
    const element = this.#elementOf(move);
    element?.classList.add("is-hint");
    element?.focus();
  }

  // Put back what was chosen.
  cancel(focus = false) {
    const before = this.#chosen;
    [this.#chosen, this.#aim] = [null, null];
    this.#places();
    this.#plan();
    keepingFocus(this, () => this.#controls());
    if (focus && before !== null) this.#card(before)?.focus();
  }

  // What somebody who plays by keyboard goes on with: where they are, if that is of use, or the next thing to choose.
  focusNext() {
    if (this.contains(document.activeElement) && document.activeElement.matches(".is-playable, .btn:not([disabled], .endturn)")) return;
    const wishes = [".hand.me .is-playable", ".board .is-playable", ".deckbtns button:not([disabled])", ".endturn"];
    wishes.map((selector) => this.querySelector(selector)).find(Boolean)?.focus({ preventScroll: true });
  }

  key(event) {
    if (event.key === "Escape" && this.#chosen !== null) this.cancel(true);
    else if (ARROWS[event.key]) {
      const selector = this.#chosen === null ? ".board .card[data-thing], .deckbtns button, .acts button" : ".board .is-target, .board .is-selected, .aim, .choices button";
      const next = neighbour(document.activeElement, [...this.querySelectorAll(selector)], ARROWS[event.key]);
      if (next) next.focus();
      else if (!this.contains(document.activeElement)) this.focusNext();
    } else {
      const kind = DECK_MOVES.find(([each]) => each.startsWith(event.key.toLowerCase()))?.[0], [move] = (kind && this.#moves?.kind(kind)) || [];
      if (!move) return false;
      this.#play(move);
    }
    return true;
  }

  // Choosing

  #click(event) {
    if (this.#moves === null) return;
    if (event.target.closest(".river .is-playable")) return this.#play(this.#moves.kind("draw")[0]);
    if (!event.target.closest(".board, .rail")) return;
    const move = this.#moveTo(event.target), card = event.target.closest(".card[data-thing]");
    if (move) return this.#play(move);
    if (!card) return this.cancel();
    const thing = Number(card.dataset.thing), own = this.#moves.of(thing);
    if (thing === this.#chosen) {
      if (own.length === 1 && (placeOf(own[0])?.lane === "any" || !placeOf(own[0]))) this.#play(own[0]);
      else this.cancel();
    } else if (own.length) this.#choose(thing, event.detail === 0);
    else this.cancel();
  }

  #open(card) { return this.#moves !== null && this.#moves.of(Number(card.dataset.thing)).length > 0; }

  #choose(thing, byKeyboard = false) {
    const placed = this.#moves.of(thing).filter(placeOf);
    this.#chosen = thing;
    this.#aim = placed.length === 1 ? placed[0] : null;
    this.#places();
    this.#plan();
    this.#controls();
    this.#read(this.#card(thing).card);
    if (byKeyboard) (this.querySelector(".board .is-target, .aim") ?? this.querySelector(".choices button"))?.focus();
  }

  #play(move) {
    this.cancel();
    this.dispatchEvent(new CustomEvent("play", { detail: move, bubbles: true }));
  }

  #want(what) { this.dispatchEvent(new CustomEvent("want", { detail: what, bubbles: true })); }

  #card(thing) { return this.querySelector(`.board .card[data-thing="${thing}"]`); }

  // The move of the chosen card to what was pointed at: a creature, a player, a lane.
  #moveTo(element) {
    if (this.#chosen === null || !element) return undefined;
    const card = element.closest(".card[data-thing]"), player = element.closest("[data-player]")?.dataset.player, lane = element.closest("[data-lane]")?.dataset.lane;
    const foe = player ?? (element.closest(".hand.foe") ? 1 - this.game.near : undefined);
    return [card && { target: Number(card.dataset.thing) }, foe !== undefined && { foe: Number(foe) }, lane !== undefined && { lane: Number(lane) }]
      .filter(Boolean).map((place) => this.#moves.to(this.#chosen, place)).find(Boolean);
  }

  #elementOf(move) {
    const place = placeOf(move);
    if (move.kind === "pass" || move.kind === "finish") return this.querySelector(".endturn");
    if (place?.target !== undefined) return this.#card(place.target);
    if (place) return this.querySelector(place.foe === undefined ? `.aim[data-lane="${place.lane === "any" ? 0 : place.lane}"]` : `.aim[data-player="${place.foe}"]`);
    return this.querySelector(`[data-code="${move.code}"]`);
  }

  // Players and lanes where the chosen card can go become buttons.
  #places() {
    for (const old of this.querySelectorAll(".aim")) old.remove();
    if (this.#chosen === null) return;
    for (const move of this.#moves.of(this.#chosen)) {
      const place = placeOf(move), label = spokenMove(this.game, move), aim = (data) => h("button", { type: "button", class: "aim", "aria-label": label, ...data });
      if (place?.foe !== undefined) this.querySelector(`.hero[data-player="${place.foe}"]`).append(aim({ "data-player": place.foe }));
      for (const lane of place?.lane === undefined ? [] : this.querySelectorAll(place.lane === "any" ? "[data-lane]" : `[data-lane="${place.lane}"]`)) {
        lane.append(h("button", { type: "button", class: "aim", "data-lane": lane.dataset.lane, "aria-label": label }, this.#note(summary(move, 1 - this.game.near))));
      }
    }
  }

  #note(found) { return found && h("span", { class: `pv ${found[0]}`, "aria-hidden": "true" }, found[1]); }

  // Mark what can be chosen, where it can go, and what that would do.
  #plan(point = null) {
    const { game } = this, { board } = this.#part, moves = this.#moves, chosen = this.#chosen;
    if (moves === null) return;
    const roles = new Map(), said = new Map(), notes = [], foe = 1 - game.near, players = new Map();
    const mark = (thing, role) => roles.set(thing, [...(roles.get(thing) ?? []), role]);
    const { hand } = this.#frame.sides[game.near];
    for (const thing of hand) mark(thing, moves.useful(thing) ? "playable" : "poor");
    for (const thing of moves.actors) if (!hand.includes(thing)) mark(thing, "playable");
    if (chosen !== null) {
      mark(chosen, "selected");
      const own = moves.of(chosen), targets = new Set();
      for (const move of own) {
        const label = summary(move, foe), health = labels(move).players.get(move.foe);
        if (move.target !== undefined) {
          targets.add(move.target);
          mark(move.target, "target");
          said.set(move.target, spokenMove(game, move));
          if (label && move !== this.#aim) notes.push([move.target, "above", label[0], label[1]]);
        } else if (health) players.set(move.foe, health);  // what else it does is told on the other panel, once it is aimed
      }
      if (own.some((move) => placeOf(move)?.lane === undefined && placeOf(move))) this.#fade(own, targets, mark, players);
      if (this.#aim) this.#foresee(this.#aim, notes, players);
    }
    if (this.#hint) for (const thing of [this.#hint.actor, this.#hint.target]) if (thing !== undefined) mark(thing, "hint");
    const aim = chosen === null || (!point && !this.#aim) ? null : point ? { from: chosen, point } : { from: chosen, target: this.#aim.target, foe: this.#aim.foe };
    board.plan({ roles, said, notes, aim });
    this.#phase(moves.end);
    for (const hero of this.querySelectorAll(".hero")) {
      const label = players.get(Number(hero.dataset.player));
      hero.querySelector(".note")?.remove();
      hero.classList.toggle("has-note", Boolean(label));
      if (label) hero.querySelector(".hpbar").before(h("span", { class: `note ${label[0]}` }, ...nodes([label[1]])));
    }
  }

  // The opponent's creatures that cannot be reached; a lock on those of the same lane, and on the player, when somebody attacks.
  #fade(own, targets, mark, players) {
    const foe = 1 - this.game.near, { rows } = this.#frame.sides[foe], attacks = own.every(({ kind }) => kind === "attack");
    const lane = Object.entries(this.#frame.sides[this.game.near].rows).find(([, row]) => row.some(([thing]) => thing === this.#chosen))?.[0];
    for (const [n, row] of Object.entries(rows)) {
      for (const [thing] of row) {
        if (targets.has(thing)) continue;
        mark(thing, "dim");
        if (attacks && n === lane) mark(thing, "locked");
      }
    }
    if (attacks && own.every((move) => move.foe === undefined)) players.set(foe, ["locked", [icon("lock", 10), t("play.protected")]]);
  }

  // All that the aimed move would do.
  #foresee(move, notes, players) {
    const found = labels(move), foe = 1 - this.game.near, own = summary(move, foe);
    for (const [thing, [tone, content]] of found.things) notes.push(thing === move.target ? [thing, "above", own[0], own[1]] : [thing, "below", tone, content]);
    if (move.target !== undefined && !found.things.has(move.target) && own) notes.push([move.target, "above", ...own]);
    for (const [player, label] of found.players) players.set(player, label);
  }

  // Looking at a card reads it; at a place where the chosen one can go, aims at it.
  #look(element) {
    const card = element.closest?.(".card");
    if (card?.card && !card.closest(".reading")) this.#read(card.card);
    if (this.#chosen === null || !element.closest?.(".board, .rail")) return;
    const move = this.#moveTo(element), placed = this.#moves.of(this.#chosen).filter(placeOf);
    const aim = move ?? (placed.length === 1 ? placed[0] : null);
    if (aim === this.#aim) return;
    this.#aim = aim;
    this.#plan();
  }

  // The side and the foot

  #read(card) {
    const help = [...(card.keywords ?? "")].map((letter) => h("li", { class: "kwl" }, keywordIcon(letter, 22, ""), h("span", {}, h("b", {}, t(`keyword.${letter}`)), t(`help.${letter}`))));
    const strength = card.type === "creature" ? ` ${card.attack ?? 0}/${card.defense ?? 0}` : ` ${t(card.spell ? "type.spell" : `type.${card.type}`)}`;
    this.#part.read.replaceChildren(cardElement(card, { size: "l", as: "div" }), h("ul", { class: "kws" }, help),
      h("p", { class: "only-phone" }, h("b", {}, cardName(card)), [strength, ...cardLines(card).map(({ text }) => text)].join(" · ")));
    this.#part.recent.scrollTop = this.#part.recent.scrollHeight;
  }

  // What happened since the opponent's turn began.
  #recent() {
    const { game } = this, { frames } = game, now = frames.indexOf(this.#frame), foe = 1 - game.near;
    const start = frames.findLastIndex(({ deed, kind }, n) => n <= now && kind === "battle" && deed?.kind === "turn" && deed.player === foe);
    const lines = (start < 0 ? [] : frames.slice(start, now + 1)).map((frame) => [frame, frame.deed]).filter(([, deed]) => deed);
    this.#part.recent.replaceChildren(h("ul", { class: "brief" }, lines.map(([frame, deed]) => (deed.kind === "turn"
      ? h("li", { class: `eyebrow ${sideOf(game, deed.player)}` }, icon(deed.player === game.near ? "up" : "down", 9), `${frame.turn} · ${game.players[deed.player]}`)
      : h("li", {}, icon(signOf(game, deed), 12), h("span", {}, sentence(game, frame), h("span", { class: "fx" }, chipsOf(game, deed))))))));
    this.#part.recent.scrollTop = this.#part.recent.scrollHeight;
  }

  // What can be done with the shared deck: its buttons, and its top card while it can be drawn.
  #deck() {
    if (this.#frame?.river === undefined) return;
    this.#part.deck.firstChild.replaceWith(this.#deckMoves(this.#frame));
    const drawn = (this.#moves?.kind("draw").length ?? 0) > 0;
    this.querySelectorAll(".river .card").forEach((card, i) => card.classList.toggle("is-playable", drawn && i === 0));
  }

  #deckMoves({ sides }) {
    const side = sides[this.game.near], button = ([kind, sign, count]) => {
      const [move] = this.#moves?.kind(kind) ?? [];
      return h("button", { type: "button", class: "btn", "data-code": move?.code ?? null, disabled: !move, onclick: () => this.#play(move) }, icon(sign), t(`play.${kind}`), h("small", {}, side[count] === null || side[count] === undefined ? "" : t("play.left", { n: side[count] })));
    };
    return h("div", { class: "deckbtns" }, DECK_MOVES.map(button));
  }

  #controls() {
    const moves = this.#moves, part = this.#part, { end } = moves, chosen = this.#chosen;
    const plain = chosen === null ? [] : moves.of(chosen).filter((move) => (placeOf(move)?.lane ?? "any") === "any" && placeOf(move)?.target === undefined && placeOf(move)?.foe === undefined);
    part.choices.replaceChildren(...plain.map((move) => h("button", { type: "button", class: "btn", "data-code": move.code, "aria-label": spokenMove(this.game, move), onclick: () => this.#play(move) },
      ...nodes([icon(signOf(this.game, move)), t(`play.do.${move.kind}`), h("small", {}, consequences(this.game, move))]))));
    if (chosen !== null) this.#say(cardName(this.game.card(chosen)), this.#advice(chosen), true);
    else this.#say(t(`play.turn.${end?.kind ?? "pass"}`), moves.open ? t("play.choose") : t("play.nothing"));
    part.acts.replaceChildren(
      this.#button("help", null, "play.help", "icononly"), this.#button("resign", "broken", "play.resign", "icononly"),
      this.#button("undo", "undo", "play.undo", "", { "aria-disabled": this.#undo === 0 }), this.#button("hint", "bulb", "play.hint"),
      end ? h("button", { type: "button", class: `btn endturn${moves.open ? "" : " done"} gold`, id: "do-end", "data-code": end.code, title: `${t("play.end")} (E)`, onclick: () => this.#play(end) },
        icon(end.kind === "finish" ? "check" : "flag"), t(end.kind === "finish" ? "play.finish" : "play.end"), h("small", {}, end.kind === "finish" ? consequences(this.game, end) : t("play.open", { n: moves.open }))) : "");
  }

  #advice(chosen) {
    const placed = this.#moves.of(chosen).filter(placeOf).length;
    return placed ? t("play.aim") : t("play.press");
  }

  // The parts of a turn, in games that have them, and while attacks are blocked, what each of them will do.
  #phase(end) {
    const { phase } = this.#frame, part = this.#part.phase;
    part.hidden = !phase;
    if (!phase) return;
    part.replaceChildren(h("span", { class: "eyebrow" }, t("play.phase")), h("ol", { class: "steps" }, ["block", "act"].map((each) => h("li", { class: each === phase ? "on" : "", "aria-current": each === phase ? "step" : null }, t(`phase.${each}`)))),
      h("p", {}, t(`play.phase.${phase}`)), phase === "block" && end ? this.#attackers(end) : "");
  }

  #attackers({ changes = [] }) {
    const { game } = this, { sides, threats = [] } = this.#frame, hits = new Map(threats), aimed = this.#aim?.kind === "block" ? this.#aim.target : null;
    const attackers = Object.values(sides[1 - game.near].rows).flat().filter(([, , , , state]) => ["attacking", "blocked"].includes(state));
    const [, , , left = sides[game.near].health] = changes.find(([kind, who]) => kind === "health" && who === game.near) ?? [];
    return h("ul", { class: "attackers" }, attackers.map(([thing, , , , doing]) => {
      const damage = hits.get(thing) ?? 0, state = thing === aimed ? t("play.attack.aimed", { name: cardName(game.card(this.#chosen)) }) : t(`play.attack.${doing}`);
      return h("li", {}, h("span", {}, h("b", {}, cardName(game.card(thing))), " ", state), h("b", { class: damage ? "loss" : "" }, damage ? signed(-damage) : 0));
    }), h("li", { class: "sum" }, h("span", {}, t("play.attack.after")), h("b", {}, icon("heart", 12), figure(left))));
  }

  #button(what, sign, key, kind = "", more = {}) {
    return h("button", { type: "button", class: `btn ${kind}`, id: `do-${what}`, title: t(key), "aria-label": t(key), onclick: () => this.#want(what), ...more }, sign ? icon(sign) : "?", kind === "icononly" ? null : h("span", { class: kind ? "" : "hide-phone" }, t(key)));
  }

  #say(title, text, keys = false) {
    const key = (name, word) => [" · ", h("kbd", {}, t(name)), " ", t(word)];
    this.#part.message.replaceChildren(...nodes([title, h("small", {}, text, keys ? h("span", { class: "hide-phone" }, key("play.key-arrows", "play.key-move"), key("play.key-enter", "play.key-play"), key("play.key-escape", "play.key-cancel")) : null)]));
  }
}

customElements.define("cardrome-battle", CardromeBattle);
