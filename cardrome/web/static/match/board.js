// The board: both hands, the lanes or the field between them, and an arrow for the last action. It is given frames and
// knows no rules: a creature that is gone is shown once more, because the step before had it.
import { cardBack, cardElement } from "../cards/card.js";
import { icon } from "../cards/icons.js";
import { fit, h, picture, svg } from "../markup.js";
import { currentLanguage, t } from "../words.js";

const PHONE = matchMedia("(max-width: 719px)");
const LUNGE = 300;
const RIVER = 26;
const ROLES = ["playable", "poor", "selected", "target", "dim", "locked", "hint"];

export class CardromeBoard extends HTMLElement {
  connectedCallback() {
    this.classList.add("board");
    new ResizeObserver(() => this.#point()).observe(this);
    PHONE.addEventListener("change", () => this.#frame && this.show(this.#frame, this.#before, this.#hands, false));
  }

  #game = null;
  #places = null;  // where hands and rows are drawn, by player
  #frame = null;
  #before = null;
  #hands = null;
  #plan = null;
  #reuse = cardElement;
  #drawn = new Map();  // the cards on the board by what they show: those that stay the same stay

  get game() { return this.#game; }

  set game(game) { [this.#game, this.#places] = [game, null]; }

  // Show a frame of `game`; `before` is the one that was shown last, if it comes right before. `hands`: which are open.
  show(frame, before, hands, animate) {
    [this.#frame, this.#before, this.#hands] = [frame, before, hands];
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.thing : undefined;
    const earlier = this.#drawn;
    this.#drawn = new Map();
    this.#reuse = (card, options) => {
      const key = JSON.stringify([card, options, currentLanguage()]), element = earlier.get(key) ?? cardElement(card, options);
      this.#drawn.set(key, element);
      return element;
    };
    const marks = marksOf(frame.deed), places = this.#places ??= this.#furnish();
    for (const p of [0, 1]) {
      fit(places[p].hand, this.#hand(frame, before, p, hands[p], animate, places[p].hand));
      places[p].rows.forEach((row, lane) => fit(row, this.#slots(row, this.#row(frame, before, p, lane, marks, animate))));
    }
    if (focused !== undefined) this.#element(focused)?.focus();
    this.plan(null);
  }

  // Mark what a person at the board may do. `roles`: by thing, some of ROLES; `said`: by thing, what is read aloud after its
  // name; `notes`: [thing, above or below, tone, content], labels on cards; `aim`: an arrow from a thing to another, to a
  // player, or to a point of the window. Without a plan the arrow is that of the last action.
  plan(plan) {
    this.#plan = plan;
    for (const element of this.querySelectorAll(".card[data-thing]")) {
      const thing = Number(element.dataset.thing), roles = plan?.roles.get(thing) ?? [], said = plan?.said.get(thing);
      for (const role of ROLES) element.classList.toggle(`is-${role}`, roles.includes(role));
      if (plan) element.setAttribute("aria-label", [element.spoken, said].filter(Boolean).join(". "));
    }
    this.#point();
  }

  // The actor of a deed moves towards its target; returns for how long, in ms.
  lunge(deed) {
    const actor = deed?.actor !== undefined && this.#element(deed.actor), target = actor && this.#target(deed);
    if (!target || !["attack", "block", "declare"].includes(deed.kind)) return 0;
    const [from, to] = [actor, target].map((element) => element.getBoundingClientRect());
    actor.style.setProperty("--dx", `${(to.x + to.width / 2 - from.x - from.width / 2) * 0.55}px`);
    actor.style.setProperty("--dy", `${(to.y + to.height / 2 - from.y - from.height / 2) * 0.55}px`);
    actor.classList.add("m-lunge");
    this.querySelector(".overlay").replaceChildren();
    for (const past of this.querySelectorAll(".is-dying, .burst")) past.style.visibility = "hidden";
    this.#drawn.clear();  // what was changed here is not to be used again
    return LUNGE;
  }

  #handOf(player) { return this.querySelector(player === this.game.near ? ".hand.me" : ".hand.foe"); }

  #element(thing) { return this.querySelector(`[data-thing="${thing}"]`); }

  #target({ target, foe }) {
    if (target !== undefined) return this.#element(target);
    return foe === undefined ? null : this.#handOf(foe);
  }

  #hand(frame, before, player, open, animate, place) {
    const { hand } = frame.sides[player], was = before?.sides?.[player].hand, size = PHONE.matches ? "x" : "s", backs = [...place.querySelectorAll(".card-back")];
    const held = new Set(Array.isArray(was) ? was : []), known = Array.isArray(hand) ? hand : Array.from({ length: hand });
    return known.map((thing) => (open && thing !== undefined
      ? this.#reuse(this.game.card(thing), { size, thing, motion: animate && before && !held.has(thing) ? "enter" : "" })
      : backs.shift() ?? cardBack(t("hand.hidden"))));
  }

  // The creatures of a row, those that have just died in their old places.
  #row(frame, before, player, lane, marks, animate) {
    const now = new Map(frame.sides[player].rows[lane].map((creature) => [creature[0], creature]));
    const was = before?.sides?.[player].rows[lane] ?? [];
    const dead = new Set(was.map(([thing]) => thing).filter((thing) => !now.has(thing) && marks.dead.has(thing)));
    const order = was.filter(([thing]) => now.has(thing) || dead.has(thing)).map((creature) => now.get(creature[0]) ?? creature);
    const known = new Set(order.map(([thing]) => thing));
    return [...order, ...[...now.values()].filter(([thing]) => !known.has(thing))].map((creature) => {
      const [thing] = creature, [card, base] = this.game.creature(creature), dying = dead.has(thing), size = this.game.data.slots ? "m" : "s";
      return this.#reuse(card, {
        base, thing, size: PHONE.matches ? "x" : size, onBoard: true, state: dying ? "dying" : creature[4],
        hurt: marks.hurt.get(thing) ?? 0, last: marks.last.has(thing), motion: animate && before && !known.has(thing) ? "enter" : "",
      });
    });
  }

  // The creatures of a row, and the places in it that are free.
  #slots(row, cards) {
    const free = [...row.querySelectorAll(".slot")];
    return [...cards, ...Array.from({ length: Math.max(0, (this.game.data.slots ?? 0) - cards.length) }, () => free.shift() ?? h("span", { class: "slot" }))];
  }

  // Hands, lanes or field; they stay for the whole game.
  #furnish() {
    const { players, near, data: { lanes, slots } } = this.game, side = (p) => (p === near ? "me" : "foe"), places = [0, 1].map((p) => ({
      hand: h("div", { class: `hand ${side(p)}`, role: "group", "aria-label": t("hand.of", { name: players[p] }) }),
      rows: Array.from({ length: slots ? lanes : 1 }, () => h("div", { class: slots ? "lrow" : `arow ${side(p)}` })),
    }));
    const [far, own] = [places[1 - near], places[near]];
    const table = slots ? h("div", { class: `lanes lanes${lanes}` }, own.rows.map((row, lane) => {
      const name = lanes > 1 ? t(lane ? "lane.right" : "lane.left") : t("lane.only");
      return h("section", { class: `lane slots${slots}`, "data-lane": lane, "aria-label": name }, far.rows[lane], h("div", { class: "midline" }, lanes > 1 ? h("span", {}, name) : null), row);
    })) : h("div", { class: "field", "data-lane": 0 }, far.rows[0], h("div", { class: "mid" }), own.rows[0]);
    this.replaceChildren(far.hand, table, own.hand, picture(svg`<svg class="overlay" aria-hidden="true"></svg>`), h("div", { class: "labels" }));
    return places;
  }

  // The arrow from the actor to its target, and labels between those who fight; again whenever the board changes size.
  #point() {
    const overlay = this.querySelector(".overlay"), deed = this.#frame?.deed;
    if (!overlay) return;
    if (this.#plan) return this.#pointPlan(overlay, this.#plan);
    const actor = deed?.actor !== undefined && this.#element(deed.actor), target = deed && this.#target(deed);
    overlay.replaceChildren();
    const from = actor || (deed?.target !== undefined || deed?.foe !== undefined ? this.#handOf(deed.player) : null);
    if (from && target && from !== target) overlay.append(...picture(svg`<svg viewBox="0 0 1 1">${arrow(this, from, target)}</svg>`).childNodes);
    this.querySelector(".labels")?.replaceChildren(...this.#threats());
  }

  #pointPlan(overlay, { notes, aim }) {
    const [from, to] = aim ? [this.#element(aim.from), aim.point ? spot(aim.point) : this.#target(aim)] : [];
    overlay.replaceChildren(...(from && to && from !== to ? picture(svg`<svg viewBox="0 0 1 1">${arrow(this, from, to)}</svg>`).childNodes : []));
    const box = this.getBoundingClientRect();
    this.querySelector(".labels").replaceChildren(...this.#threats(), ...notes.flatMap(([thing, where, tone, content]) => {
      const at = this.#element(thing)?.getBoundingClientRect();
      return at ? [h("span", { class: `pv ${tone}`, "aria-hidden": "true", style: { left: `${at.left + at.width / 2 - box.left}px`, top: `${(where === "above" ? at.top : at.bottom) - box.top}px` } }, content)] : [];
    }));
    const labels = [...this.querySelectorAll(".labels .pv")];
    this.#within(labels, box);
    for (const shorter of ["short", "shortest"]) if (overlap(labels)) for (const label of labels) label.classList.add(shorter);
    this.#within(labels, box);
  }

  // Labels stay on the board.
  #within(labels, box) {
    for (const label of labels) {
      label.style.removeProperty("margin-left");
      const at = label.getBoundingClientRect(), over = Math.max(0, box.left + 2 - at.left) - Math.max(0, at.right - box.right + 2);
      if (over) label.style.setProperty("margin-left", `${over}px`);
    }
  }

  // What attackers of the other side will do to the player to move.
  #threats() {
    const { player, threats = [] } = this.#frame, box = this.getBoundingClientRect();
    return threats.flatMap(([thing, damage]) => {
      const at = this.#element(thing)?.getBoundingClientRect();
      if (!at) return [];
      const edge = player === this.game.near ? at.bottom : at.top;
      return [h("span", { class: "fight", style: { left: `${at.left + at.width / 2 - box.left}px`, top: `${edge - box.top}px` } }, icon("broken", 12), damage)];
    });
  }
}

// What of a deed is marked on the board: the ring around those who took part, stars, the dead.
function marksOf(deed) {
  const hurt = new Map(), dead = new Set(), last = new Set();
  if (deed && !["turn", "illegal"].includes(deed.kind) && deed.actor !== undefined) last.add(deed.actor);
  for (const [kind, thing, ...values] of deed?.changes ?? []) {
    if (kind === "creature" && values[3] !== values[2]) hurt.set(thing, values[3] - values[2]);
    if (kind === "dies") {
      dead.add(thing);
      if (values[0]) hurt.set(thing, -values[0]);
    }
  }
  return { hurt, dead, last };
}

// Whether any two labels cover each other.
function overlap(labels) {
  const boxes = labels.map((label) => label.getBoundingClientRect());
  return boxes.some((a, i) => boxes.slice(i + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}

const spot = ([x, y]) => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0), classList: { contains: () => false } });

// A tapered arrow from one element to another.
function arrow(board, from, to) {
  const box = board.getBoundingClientRect(), phone = PHONE.matches, head = phone ? 10 : 16, bend = phone ? 8 : 20, thick = 6.5;
  const middle = (element) => { const at = element.getBoundingClientRect(); return [at.left - box.left + at.width / 2, at.top - box.top + at.height / 2, at.height]; };
  let [x0, y0, h0] = middle(from), [x1, y1, h1] = middle(to);
  const down = y1 < y0 ? -1 : 1;
  y0 += down * h0 * 0.36;
  y1 -= down * h1 * (to.classList.contains("hand") ? 0.3 : 0.12);
  if (to.classList.contains("hand")) x1 = (x0 + x1) / 2;
  const dx = x1 - x0, dy = y1 - y0, length = Math.hypot(dx, dy) || 1, mx = (x0 + x1) / 2 - (dy / length) * bend, my = (y0 + y1) / 2 + (dx / length) * bend;
  const angle = Math.atan2(y1 - my, x1 - mx), nx = -Math.sin(angle), ny = Math.cos(angle), bx = x1 - Math.cos(angle) * head * 1.35, by = y1 - Math.sin(angle) * head * 1.35;
  const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`, side = (k) => point(mx + nx * k, my + ny * k), base = (k) => point(bx + nx * k, by + ny * k);
  return svg`<path class="arrow-body" d="M${point(x0, y0)}Q${side(thick * 0.55)} ${base(thick)}L${base(head)} ${point(x1, y1)} ${base(-head)} ${base(-thick)}Q${side(-thick * 0.55)} ${point(x0, y0)}z"/>`;
}

// The deck that both players draw from, its top card first, drawn into an element behind some other content.
export function river(box, game, top, ...before) {
  const { cards } = game.data, left = cards.length - top, kinds = ["creature", "green", "red", "blue"], language = currentLanguage();
  const shown = box.querySelector(`.river:lang(${language})`);
  if (shown?.dataset.top === String(top)) return fit(box, [...before, shown, shown.nextSibling]);
  const kept = new Map([...(shown?.querySelectorAll(".card") ?? [])].map((element) => [element.card, element]));  // styling them all anew would cost frames
  const cells = shown ?? h("div", { class: "river", lang: language, role: "group", "aria-label": t("river.title") }, h("span", { class: "eyebrow" }, t("river.title")));
  fit(cells, [cells.firstChild, ...cards.slice(top, top + RIVER).map((card) => kept.get(card) ?? cardElement(card, { size: "x" }))]);
  cells.dataset.top = top;
  const share = (type) => (100 * cards.slice(top).filter((card) => card.type === type).length) / Math.max(1, left);
  return fit(box, [...before, cells,
    h("div", { class: "left" }, h("b", {}, left), h("span", { class: "eyebrow" }, t("river.left", { n: left })),
      h("span", { class: "mixbar", "aria-hidden": "true" }, kinds.map((type) => h("i", { class: type, style: { width: `${share(type)}%` } }))))]);
}

customElements.define("cardrome-board", CardromeBoard);
