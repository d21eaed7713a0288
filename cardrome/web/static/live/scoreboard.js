// The scoreboard of an event: standings, a clock, the match of the minute, and what has just happened. It draws what the
// server sends, once a turn; between two messages only the clock moves.
import { defs } from "../cards/card.js";
import { crest } from "../cards/crest.js";
import { icon, logo } from "../cards/icons.js";
import { h, nodes, picture as drawing, svg } from "../markup.js";
import { currentLanguage, phrase, t } from "../words.js";
import { bump } from "./bump.js";
import { lines, link, moment, picture } from "./small.js";
import { follow } from "./stream.js";

const TICKS = 40;  // planned tournaments that are drawn one by one
const number = (value, digits = 0) => new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: digits }).format(value);
const clock = (seconds) => {
  const s = Math.max(0, Math.round(seconds)), two = (n) => String(n).padStart(2, "0");
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
};
const time = (seconds, more = {}) => new Intl.DateTimeFormat(currentLanguage(), { hour: "2-digit", minute: "2-digit", hour12: false, ...more }).format(new Date(seconds * 1000));

export class CardromeScoreboard extends HTMLElement {
  #news = null;
  #came = 0;
  #stop = null;
  #timer = null;
  #part = {};
  #rows = new Map();  // a team's name -> its crest and name, which stay

  connectedCallback() {
    const part = this.#part = {
      head: h("header", { class: "head" }), notes: h("div", { class: "notes", "aria-live": "polite" }), table: h("section", { class: "table", "aria-label": t("live.standings") }),
      arena: h("aside", { class: "arena", "aria-label": t("live.matches") }), facts: h("span", { class: "facts" }), lost: h("p", { class: "lost", role: "status", hidden: true }, t("live.lost-connection")),
    };
    const given = this.querySelector("script")?.textContent;
    const { events, rules } = this.dataset;
    part.tick = h("footer", { class: "tick" }, part.facts, rules ? h("a", { href: rules }, t("live.rules")) : null);
    this.replaceChildren(defs(), part.head, part.notes, part.table, part.arena, part.tick, part.lost);
    if (given) this.show(JSON.parse(given));
    if (events) this.#stop = follow(events, (news) => this.show(news), (lost) => { part.lost.hidden = !lost; });
    if (events) this.#timer = setInterval(() => this.#clock(), 250);
    new ResizeObserver(() => this.#bump()).observe(part.table);
  }

  disconnectedCallback() {
    this.#stop?.();
    clearInterval(this.#timer);
  }

  show(news) {
    if (!news) return this.#part.head.replaceChildren(h("p", {}, t("live.not-started")));
    [this.#news, this.#came] = [news, performance.now()];
    const { board, feature } = news, part = this.#part;
    document.title = board.event;
    part.head.replaceChildren(...nodes([this.#event(board), this.#progress(board), this.#clockFace(board)]));
    this.#notes(board);
    this.#table(board);
    this.#arena(board, feature);
    part.facts.replaceChildren(...nodes(this.#ticker(board)));
    this.#clock();
    this.#bump();
  }

  #event(board) {
    const teams = t("live.teams", { n: board.rows.length }), all = board.rows.length * (board.rows.length - 1);
    return h("div", { class: "ev" }, logo(64), h("div", {}, h("h1", {}, h("bdi", {}, board.event)), h("p", {}, `Tapdeck · ${teams}${all ? ` · ${t("live.each", { n: all })}` : ""}`)));
  }

  #progress({ tournament, planned, phase, turns, turns_left: left, again }) {
    if (tournament === null) return h("div", { class: "prog" });
    const words = planned ? phrase("live.tournament-of", { n: number(tournament), all: h("span", {}, number(planned)) }) : t("live.tournament", { n: number(tournament) });
    const done = phase === "playing" ? tournament - 1 : tournament, share = turns && left !== null ? (turns - left) / turns : 1;
    const ticks = planned && planned <= TICKS ? Array.from({ length: planned }, (_, i) => {
      const now = phase === "playing" && i === tournament - 1;
      return h("i", { class: now ? "now" : i < done ? "done" : "", style: now ? { "--done": `${100 * share}%` } : {} });
    }) : h("i", { class: "now", style: { "--done": `${100 * (planned ? Math.min(1, (done + (phase === "playing" ? share : 0)) / planned) : share)}%` } });
    return h("div", { class: "prog" }, h("b", {}, words, again ? h("small", {}, icon("rew", 14), t("live.again", { n: again })) : null), h("div", { class: "ticks", "aria-hidden": "true" }, ticks));
  }

  // What the clock counts down to, in seconds from the moment of the message, and what it says below.
  #due({ phase, paused, turns_left: left, turns_to_start: toStart, turn_seconds: turn, starts_at: starts }) {
    if (phase === "playing") return [left * turn, t("live.until-end")];
    if (phase === "over") return [null, t("live.over")];
    if (paused) return [null, t("live.paused")];
    if (toStart !== null) return [toStart * turn, t("live.until-next")];
    if (starts !== null && starts * 1000 > Date.now()) return [starts - Date.now() / 1000, t("live.until-start", { time: time(starts, { weekday: "short" }) })];
    return [null, t("live.waiting")];
  }

  #clockFace(board) {
    if (!this.dataset.events && board.phase !== "over") return null;
    const [seconds, words] = this.#due(board), { turns, turns_left: left, phase } = board, round = 2 * Math.PI * 44;
    const sign = { over: "trophy" }[phase] ?? (board.paused ? "pause" : "live");
    const ring = phase === "playing" && turns ? svg`<svg viewBox="0 0 104 104" aria-hidden="true"><circle class="track" cx="52" cy="52" r="44"/><circle class="left" cx="52" cy="52" r="44" stroke-dasharray="${(round * left) / turns} 400" transform="rotate(-90 52 52)"/><text x="52" y="52" class="big">${turns - left}</text><text x="52" y="71">${t("live.of-turns", { n: turns })}</text></svg>` : null;
    return h("div", { class: "clock" }, ring, h("div", {}, seconds === null ? h("b", { class: "sign" }, icon(sign, 44)) : h("b", { class: "count", role: "timer" }), h("span", {}, words)));
  }

  #clock() {
    const face = this.querySelector(".clock .count");
    if (!face || !this.#news) return;
    const [seconds] = this.#due(this.#news.board), since = this.#news.board.phase === "waiting" ? 0 : (performance.now() - this.#came) / 1000;
    face.textContent = clock(seconds - since);
  }

  #notes({ announcements }) {
    const key = JSON.stringify(announcements), { notes } = this.#part;
    if (notes.dataset.key === key) return;  // or it would be read aloud once a turn
    notes.dataset.key = key;
    notes.replaceChildren(...announcements.map(([text, at]) => h("p", {}, icon("flag", 18), h("time", {}, time(at)), h("bdi", {}, text))));
  }

  #table({ rows, columns, provisional, phase }) {
    const { table } = this.#part, top = Math.max(...rows.map((row) => row.total), 1);
    const heads = [["rk", "#"], ["mv", ""], ["cr", ""], ["nm", t("live.team")], ["sp", columns.length ? t("live.ranks", { from: columns[0], to: columns.at(-1) }) : ""], ["pt", t(provisional ? "live.now" : "live.last")], ["tot", t("live.total")]];
    const cells = (row, i) => h("div", { class: `row${i < 3 && row.total > 0 ? " top" : ""}`, role: "row" },
      h("span", { class: "rk", role: "cell" }, row.rank), this.#move(row), this.#name(row, phase), h("span", { class: "sp", role: "cell" }),
      h("span", { class: "pt", role: "cell" }, row.now === null ? "·" : `+${number(row.now)}`),
      h("span", { class: "tot", role: "cell" }, h("i", { style: { width: `${(100 * row.total) / top}%` } }), h("b", {}, number(row.total))));
    table.replaceChildren(h("div", { class: "sheet", role: "table", "aria-label": t("live.standings") },
      h("div", { class: "row h", role: "row" }, heads.map(([kind, text]) => h("span", { class: kind, role: "columnheader" }, text))),
      h("div", { class: "rows", role: "rowgroup", style: { "--teams": rows.length } }, rows.map(cells))), ...(rows.length ? [] : [h("p", { class: "nobody" }, t("live.nobody"))]));
  }

  #move({ move }) {
    return h("span", { class: `mv${move > 0 ? " u" : move < 0 ? " d" : ""}`, role: "cell" }, move ? [icon(move > 0 ? "up" : "down", 15, t(move > 0 ? "live.up" : "live.down")), Math.abs(move)] : "–");
  }

  #name({ name, connections, away }, phase) {
    if (!this.#rows.has(name)) this.#rows.set(name, [h("span", { class: "cr", role: "cell" }, crest(name, 42)), h("bdi", { class: "cut" }, name)]);
    const [shield, words] = this.#rows.get(name), off = connections === 0 && phase !== "over" && this.dataset.events;
    return [shield, h("span", { class: "nm", role: "rowheader" }, words, off ? h("small", {}, away === null ? t("live.offline") : t("live.away", { time: clock(away) })) : null)];
  }

  // The lines of the ranks lie over all rows, in the column that is left free for them.
  #bump() {
    const box = this.querySelector(".rows"), cell = box?.querySelector(".sp");
    if (!cell || !this.#news) return;
    box.querySelector(".bump")?.remove();
    const { rows, climb } = this.#news.board, at = box.getBoundingClientRect(), free = cell.getBoundingClientRect();
    if (free.width < 60 || !rows[0].places.length) return;
    box.append(bump(rows, climb?.name, { width: at.width, height: at.height, left: free.left - at.left + 10, right: free.right - at.left - 24 }));
  }

  #arena(board, [feature]) {
    const { arena } = this.#part;
    if (!feature) return arena.querySelector(".join") ?? arena.replaceChildren(...nodes([this.#join(board)]));
    if (!arena.querySelector(".tiles")) {
      arena.replaceChildren(h("h2"), h("a", { class: "feat" }), h("div", { class: "tiles" }),
        h("p", { class: "more" }, h("a", { class: "btn", href: "/live/matches" }, icon("eye", 15), t("live.all-matches"))));
    }
    const [title, feat, tiles] = arena.children, late = board.behind ? ` · ${t("live.behind", { n: board.behind })}` : "";
    title.replaceChildren(...nodes([board.phase === "playing" ? h("span", { class: "live" }, icon("live", 17), t("live.live")) : null, t("live.feature"), h("span", {}, moment(feature), late)]));
    link(feat, feature, picture("feature", feature));
    while (tiles.children.length > board.tiles.length) tiles.lastChild.remove();
    while (tiles.children.length < board.tiles.length) tiles.append(h("a", { class: "tile" }));
    board.tiles.forEach((each, i) => link(tiles.children[i], each, lines(each, feature.most)));
  }

  // Before anything is played: how to take part.
  #join({ join, starts_at: starts, phase }) {
    if (phase === "over" || !join.length) return null;
    return [h("h2", {}, t("live.join")), h("section", { class: "feat join" }, h("p", {}, t("live.connect-to")), join.map((address) => h("code", {}, address)),
      h("p", {}, starts === null ? t("live.starts-when") : t("live.starts-at", { time: time(starts, { weekday: "long", day: "numeric", month: "long" }) })),
      this.dataset.rules ? h("p", {}, h("a", { class: "btn gold", href: this.dataset.rules }, t("live.rules"))) : null)];
  }

  #ticker(board) {
    const { ended, climb, rows, running, matches, lag_ms: lag, join, phase, commitment, secret } = board, online = rows.filter((row) => row.connections).length;
    const live = Boolean(this.dataset.events), em = (text) => h("b", {}, h("bdi", {}, text));
    return [
      ended ? h("span", {}, icon("trophy", 20), h("b", {}, t("live.just-ended")), h("span", {}, phrase("live.beat", { winner: em(ended.winner), loser: em(ended.loser), n: ended.turn }))) : null,
      climb ? h("span", {}, icon("up", 16), h("b", {}, t("live.climb")), h("span", {}, phrase("live.climbed", { name: em(climb.name), before: climb.before, now: climb.now }))) : null,
      h("span", { class: "grow" }),
      live && phase !== "over" && join.length ? h("span", { class: "addr" }, icon("share", 16), h("b", {}, t("live.join")), h("code", {}, join[0])) : null,
      live && phase === "playing" ? h("span", {}, t("live.running", { n: running, all: matches })) : null,
      live ? h("span", {}, t("live.online", { n: online, all: rows.length })) : null,
      live ? h("span", { class: lag > 50 ? "late" : "" }, t("live.lag", { ms: number(lag, 1) })) : null,
      commitment ? h("span", { class: "proof", title: secret ? t("live.secret", { secret, commitment }) : t("live.commitment", { commitment }) }, icon("lock", 15), h("code", {}, commitment.slice(0, 12))) : null,
    ];
  }
}

customElements.define("cardrome-scoreboard", CardromeScoreboard);
