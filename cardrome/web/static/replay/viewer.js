// The replay viewer: walks through a recording, and tells board, log and timeline where it is. A site says by attributes
// where its links lead: `home`, `back` (to where the reader came from) and `play` (to play on, `&at=` a frame), and by `analyse` where to ask what an agent thinks.
import { river } from "../match/board.js";
import { botsPanel } from "./bots.js";
import { defs } from "../cards/card.js";
import "./controls.js";
import { deckBuilding } from "../match/decks.js";
import { chipsOf, resultWords, sentence, signOf } from "./deeds.js";
import { rail } from "../match/hero.js";
import { icon, logo } from "../cards/icons.js";
import "./log.js";
import { h } from "../markup.js";
import { pause, STILL } from "../match/pace.js";
import { readingView } from "../cards/reading.js";
import { Recording } from "./recording.js";
import { remember, toggleTheme } from "../settings.js";
import "./timeline.js";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "../words.js";

const SLOWEST = 700, QUICKEST = 150;  // ms between two actions of a game that is being played; if there are too many, some are skipped
const NOTED = 150;  // ms after a step
const KEYS = {
  Home: "first", ArrowUp: "earlier", PageUp: "earlier", ArrowLeft: "previous", ArrowRight: "next", ArrowDown: "later", PageDown: "later", End: "last",
};

export class CardromeReplay extends HTMLElement {
  #now = 0;
  #timer = null;
  #pending = null;
  #follow = null;
  #noting = null;
  #came = 0;
  #speed = 1;
  #open = true;
  #tab = "log";
  #part = {};
  #closeReading = null;

  // Show a recorded game, from the moment that the page's address names.
  load(data) {
    this.game = new Recording(data);
    this.classList.add("match");
    this.game.data.slots || this.classList.add("shared-deck");
    this.#closeReading = readingView(this);
    this.#build();
    this.#listen();
    this.go(this.game.find(location.hash));
  }

  // The page's furniture; again when the language has changed.
  #build() {
    const { game } = this, { data } = game;
    const part = this.#part = {
      rail: h("div", { class: "rail" }), board: h("cardrome-board"), building: h("main", { class: "buildings" }), log: h("cardrome-log"), bots: h("div", { class: "botsbox" }),
      mini: h("button", { type: "button", class: "mini only-phone", onclick: () => this.#sheet(true) }), river: h("div", { class: "riverbox" }), spoken: h("p", { class: "vh", "aria-live": "polite", id: "caption" }),
      result: h("div", { class: "ending", id: "result", hidden: true }), count: h("span", { class: "chip", id: "count" }), timeline: h("cardrome-timeline"), controls: h("cardrome-controls"),
      toast: h("p", { class: "toast", role: "status", hidden: true }),
    };
    part.board.game = game;
    part.bots.append(botsPanel(game));
    const tab = (name) => h("button", { type: "button", "data-tab": name, onclick: () => this.#show(name) }, t(`tab.${name}`));
    this.replaceChildren(defs(), this.#bar(),
      part.rail, part.building, h("main", { class: "boardbox" }, part.board, part.result),
      h("aside", { class: "side" }, part.mini, h("section", { class: "log" },
        h("h2", {}, h("span", { class: "seg" }, tab("log"), tab("bots")), part.count, h("button", { type: "button", class: "iconbtn only-phone", "aria-label": t("sheet.close"), onclick: () => this.#sheet(false) }, icon("down"))),
        part.log, part.bots)),
      part.river,
      h("footer", { class: "foot" }, part.controls, part.timeline, h("div", { class: "legend hide-phone", "aria-hidden": "true" }, game.players.map((name, p) => h("span", {}, h("i", { class: p ? "f" : "" }), name)), game.chances ? h("span", {}, h("i", { class: "chance" }), t("timeline.chance", { name: game.players[0] })) : null)),
      part.spoken, part.toast, data.difference ? h("p", { class: "warning", id: "warning", role: "alert" }, t("warning.difference", { what: data.difference })) : "");
    part.log.fill(game);
    part.timeline.fill(game);
    this.#show(this.#tab);
    document.title = `${game.players.join(" v ")} · ${data.edition}`;
  }

  #bar() {
    const { game } = this, { data } = game, button = (id, sign, key, action, more = {}) =>
      h("button", { type: "button", class: "iconbtn", id, title: t(key), "aria-label": t(key), onclick: action, ...more }, icon(sign));
    const brand = [logo(24), h("span", { class: "word" }, "Cardrome")], [home, back, play] = ["home", "back", "play"].map((name) => this.getAttribute(name));
    return h("header", { class: "bar" }, home ? h("a", { class: "brand", href: home, "aria-label": "Cardrome" }, brand) : h("span", { class: "brand" }, brand),
      back ? h("a", { class: "iconbtn", id: "back", href: back, title: t("bar.back"), "aria-label": t("bar.back") }, icon("left")) : null, h("h1", { class: "vh" }, game.players.join(" v "), " · ", data.edition),
      h("span", { class: "grow" }), h("span", { class: "chip hide-phone" }, data.edition), data.event ? h("span", { class: "chip hide-phone" }, data.event.name) : null,
      play ? h("a", { class: "btn", id: "play-from", href: play, title: t("bar.play-from"), "aria-label": t("bar.play-from") }, icon("sword", 13), h("span", { class: "hide-phone" }, t("bar.play-from"))) : null,
      this.hasAttribute("analyse") && !game.chances ? h("button", { type: "button", class: "btn", id: "analyse", title: t("bar.analyse"), "aria-label": t("bar.analyse"), onclick: (event) => this.#analyse(event.currentTarget) }, icon("bulb", 13), h("span", { class: "hide-phone" }, t("bar.analyse"))) : null,
      game.faults.length ? h("button", { type: "button", class: "btn small", id: "fault", title: t("bar.fault"), "aria-label": t("bar.fault"), onclick: () => this.#step("fault") }, icon("flag", 13), game.faults.length) : null,
      data.hidden ? button("hands", this.#open ? "eye" : "lock", this.#open ? "bar.hide" : "bar.show", () => this.#turnHands(), { "aria-pressed": this.#open }) : null,
      button("share", "share", "bar.share", () => this.#share()),
      h("span", { class: "seg", role: "group", "aria-label": t("bar.language") }, LANGUAGES.map((code) =>
        h("button", { type: "button", lang: code, "data-language": code, "aria-pressed": code === currentLanguage(), "aria-label": t(`language.${code}`), onclick: () => this.#speak(code) }, code.toUpperCase()))),
      button("theme", "moon", "bar.theme", toggleTheme));
  }

  #listen() {
    this.addEventListener("seek", (event) => { this.stop(); this.go(event.detail); });
    this.addEventListener("step", (event) => { this.stop(); this.#step(event.detail); });
    this.addEventListener("toggle", () => this.toggle());
    this.addEventListener("speed", (event) => { this.#speed = event.detail; this.#controls(); });
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => this.go(this.game.find(location.hash)));
    let from = null;
    this.addEventListener("touchstart", (event) => { from = event.target.closest(".boardbox, .buildings") && event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
    this.addEventListener("touchend", (event) => {
      const [to] = event.changedTouches, dx = from && to.clientX - from.clientX;
      if (from && Math.abs(dx) > 40 && Math.abs(dx) > 1.5 * Math.abs(to.clientY - from.clientY)) { this.stop(); this.#step(dx < 0 ? "next" : "previous"); }
    });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("pre")) return;
    const action = KEYS[event.key] ?? { f: "fault" }[event.key];
    if (event.key === " " && event.target.tagName !== "BUTTON") this.toggle();
    else if (event.key === "o" && this.game.data.hidden) this.#turnHands();
    else if (action) { this.stop(); this.#step(action); }
    else return;
    event.preventDefault();
  }

  #step(name) {
    const { game } = this, now = this.#now;
    this.go({
      first: () => 0, last: () => game.last, previous: () => now - 1, next: () => now + 1,
      earlier: () => game.starts.findLast((start) => start < now) ?? 0, later: () => game.starts.find((start) => start > now) ?? game.last,
      fault: () => game.faults.find((fault) => fault > now) ?? game.faults[0] ?? now,
    }[name]());
  }

  // Go to a frame. One step onwards is shown as it happens: the actor moves first, then the numbers change.
  go(n) {
    const { game } = this, before = this.#now;
    this.#now = Math.min(Math.max(n, 0), game.last);
    clearTimeout(this.#pending);
    const onwards = this.#now === before + 1 && !STILL.matches, { deed } = game.frames[this.#now];
    const wait = onwards && this.#speed < 4 && game.frames[before].kind === "battle" ? this.#part.board.lunge(deed) : 0;
    if (wait) this.#pending = setTimeout(() => this.#draw(true), wait / this.#speed);
    else this.#draw(onwards);
    this.#part.timeline.at = this.#now;
    this.#part.log.at = this.#now;
    this.#part.count.textContent = t("count.of", { n: this.#now + 1, all: game.last + 1 });
    this.#controls();
    this.#playFrom();
    clearTimeout(this.#noting);
    this.#noting = setTimeout(() => this.#note(), NOTED);
  }

  // The page's address names the moment: not at every step of a quick walk, since browsers take their time for it.
  #note() {
    clearTimeout(this.#noting);
    history.replaceState(null, "", `#${this.game.address(this.#now)}`);
  }

  #draw(animate) {
    const { game } = this, part = this.#part, n = this.#now, frame = game.frames[n], before = game.frames[n - 1], battle = frame.kind === "battle";
    this.#closeReading();
    this.classList.toggle("is-building", !battle);
    if (battle) {
      const earlier = before?.kind === "battle" ? before : null;
      part.rail.replaceChildren(...rail(game, frame, earlier, animate));
      part.board.show(frame, earlier, [0, 1].map((p) => this.#open || !game.data.hidden || p === frame.player), animate);
      part.building.replaceChildren();
      if (frame.river !== undefined) river(part.river, game, frame.river);
    } else part.building.replaceChildren(deckBuilding(game, n));
    const ended = n === game.last && game.data.outcome !== null;
    part.result.hidden = !ended;
    part.result.replaceChildren(...(ended ? h("div", {}, icon("trophy", 18), h("span", {}, resultWords(game))).childNodes : []));
    part.spoken.replaceChildren(...this.#caption(n));
    this.#miniature();
  }

  #caption(n) {
    const { game } = this, frame = game.frames[n];
    if (n === game.last && game.data.outcome !== null) return [resultWords(game)];
    if (frame.deed.kind === "turn") return [t("turn.spoken", { n: frame.turn, name: game.players[frame.deed.player] })];
    return [...sentence(game, frame), ...chipsOf(game, frame.deed).flatMap((chip) => ["; ", chip.textContent])];
  }

  // On a phone: the last lines of the log.
  #miniature() {
    const { game } = this, start = Math.max(0, this.#now - 2), lines = game.frames.slice(start, this.#now + 1);
    this.#part.mini.replaceChildren(...lines.map((frame, i) => {
      const { deed } = frame, turn = deed.kind === "turn";
      return h("span", { class: `line${i === lines.length - 1 ? " now" : ""}` }, icon(turn && deed.player !== game.near ? "down" : signOf(game, deed), 13),
        h("span", { class: "cut" }, turn ? t("turn.spoken", { n: frame.turn, name: game.players[deed.player] }) : sentence(game, frame)), h("span", { class: "fx" }, chipsOf(game, deed).slice(0, 1)));
    }));
    this.#part.mini.setAttribute("aria-label", t("sheet.open"));
  }

  // Where to play on from this moment; after the last one there is nothing left to play.
  #playFrom() {
    const link = this.querySelector("#play-from");
    if (!link) return;
    link.href = `${this.getAttribute("play")}&at=${this.#now}`;
    link.hidden = this.#now === this.game.last;
  }

  #controls() {
    this.#part.controls.state({ playing: this.#timer !== null, speed: this.#speed, first: this.#now === 0, last: this.#now === this.game.last });
  }

  toggle() {
    if (this.#timer !== null) return this.stop();
    if (this.#now === this.game.last) this.go(0);
    this.#tick();
    this.#controls();
  }

  #tick() {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#now < this.game.last) this.go(this.#now + 1);
      if (this.#now < this.game.last) this.#tick();
      this.#controls();
    }, pause(this.game.frames[this.#now]) / this.#speed);
  }

  // More of a game that is being played. Whoever has seen all there was goes on, at a pace that keeps up.
  grow({ from, frames, known, cards, things, outcome }) {
    const { game } = this, { data } = game, follows = this.#follow !== null || (this.#timer === null && this.#now === game.last);
    data.cards.splice(known, Infinity, ...cards);
    Object.assign(data.things, things);
    data.outcome = outcome;
    game.grow(from, frames);
    this.#part.log.grow(from);
    this.#part.timeline.fill(game);
    clearInterval(this.#follow);
    this.#follow = null;
    this.#part.timeline.at = this.#part.log.at = this.#now;
    this.#part.count.textContent = t("count.of", { n: this.#now + 1, all: game.last + 1 });
    this.#controls();
    const gap = performance.now() - this.#came, steps = game.last - this.#now, stride = Math.max(1, Math.ceil((steps * QUICKEST) / gap));
    this.#came += gap;
    if (!follows) return;
    this.go(this.#now + stride);
    this.#follow = setInterval(() => {
      if (this.#now < game.last) return this.go(this.#now + stride);
      clearInterval(this.#follow);
      this.#follow = null;
    }, Math.min(SLOWEST, Math.max(QUICKEST, (0.9 * gap * stride) / Math.max(1, steps))));
  }

  stop() {
    clearInterval(this.#follow);
    this.#follow = null;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#controls();
  }

  #show(tab) {
    this.#tab = tab;
    [this.#part.log.hidden, this.#part.bots.hidden] = [tab !== "log", tab !== "bots"];
    for (const button of this.querySelectorAll("[data-tab]")) button.setAttribute("aria-pressed", button.dataset.tab === tab);
  }

  #sheet(open) { this.querySelector(".side").classList.toggle("open", open); }

  #turnHands() {
    this.#open = !this.#open;
    this.querySelector(".bar").replaceWith(this.#bar());
    this.#playFrom();
    this.querySelector("#hands").focus();
    this.#draw(false);
  }

  #speak(code) {
    remember("language", code);
    chooseLanguage(code);
    const focused = this.contains(document.activeElement);
    this.#build();
    this.go(this.#now);
    if (focused) this.querySelector(`[data-language=${code}]`).focus();
  }

  async #share() {
    this.#note();
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.#toast(copied ? t("share.copied") : location.href, copied ? 2500 : 15000);
  }

  #toast(text, ms) {
    const { toast } = this.#part;
    toast.replaceChildren(text);
    toast.hidden = false;
    setTimeout(() => { toast.hidden = true; }, ms);
  }

  // Ask what an agent thinks of the game, which takes a few seconds: then there is a curve, and a note at each turn. The page
  // that has somebody to ask sets `ask`; a page that is a file of its own asks nobody.
  async #analyse(button) {
    button.disabled = true;
    this.#toast(t("analysis.asked"), 4000);
    const found = await this.ask(this.getAttribute("analyse"));
    if (!found) {
      button.disabled = false;
      return this.#toast(t("analysis.failed"), 5000);
    }
    this.game.review(found);
    this.#build();
    this.go(this.#now);
    this.#part.timeline.focus();
  }
}

customElements.define("cardrome-replay", CardromeReplay);
