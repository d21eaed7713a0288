// What stands over the table: help, the question before resigning, and the end of the game.
import { icon } from "../cards/icons.js";
import { h } from "../markup.js";
import { t } from "../words.js";

const HELP = [["←↑↓→", "arrows"], ["Enter", "enter"], ["Esc", "escape"], ["E", "end"], ["U", "undo"], ["H", "hint"], ["D B", "deck"], ["1 2 3", "draft"], ["?", "help"]];

function open(parent, dialog) {
  parent.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  return dialog;
}

export const helpDialog = (parent) => open(parent, h("dialog", { class: "paper", "aria-labelledby": "help-title" },
  h("h2", { id: "help-title" }, t("play.help-title")), h("p", {}, t("play.help-text")),
  h("dl", { class: "keys" }, HELP.map(([keys, name]) => h("div", {}, h("dt", {}, keys.split(" ").map((key) => [h("kbd", {}, key), " "])), h("dd", {}, t(`play.help.${name}`))))),
  h("form", { method: "dialog" }, h("button", { class: "btn gold" }, t("sheet.close")))));

// Whether the person is sure.
export const confirmResigning = (parent) => new Promise((resolve) => {
  const dialog = open(parent, h("dialog", { class: "paper", "aria-labelledby": "resign-title" },
    h("h2", { id: "resign-title" }, t("play.resign-title")), h("p", {}, t("play.resign-text")),
    h("form", { method: "dialog" }, h("button", { class: "btn", value: "no", autofocus: true }, t("play.resign-no")), h("button", { class: "btn danger", value: "yes" }, t("play.resign")))));
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
});

const resultOf = (game) => ({ [game.near]: "won", [1 - game.near]: "lost" })[game.data.outcome.winner] ?? "drawn";

// Why the game ended as it did.
export function ending(game) {
  const { ending: why, scores } = game.data.outcome, result = resultOf(game), name = game.players[1 - game.near];
  return result === "drawn" ? t("result.drawn", { a: scores[0], b: scores[1] }) : t(result === "won" ? `play.won.${why}` : `play.lost.${why}`, { name });
}

// How the game ended, and what to do next.
export function endPanel(game, server, { outcome }, rematch) {
  const result = resultOf(game), panel = h("section", { class: `endpanel ${result}`, role: "dialog", "aria-labelledby": "end-title" },
    h("button", { type: "button", class: "iconbtn", "aria-label": t("sheet.close"), onclick: () => panel.remove() }, icon("down")),
    h("h2", { id: "end-title", tabindex: -1 }, icon(result === "won" ? "trophy" : "flag", 26), t(`play.over.${result}`)), h("p", {}, ending(game)),
    h("div", { class: "ways" },
      h("button", { type: "button", class: "btn gold", id: "rematch", onclick: () => rematch(false) }, icon("undo"), t("play.rematch")),
      h("button", { type: "button", class: "btn", id: "swap", onclick: () => rematch(true) }, icon("share"), t("play.swap")),
      outcome.replay === false ? null : [
        h("a", { class: "btn", id: "watch", href: `${location.pathname.replace(/\/$/, "")}/watch` }, icon("play"), t("play.watch")),
        h("a", { class: "btn", id: "save", href: server.replay, download: "" }, icon("down"), t("play.save"))],
      h("a", { class: "btn", href: "/play" }, icon("plus"), t("play.new"))));
  return panel;
}
