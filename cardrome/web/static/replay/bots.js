// What is known of the players beside the board: their times, how their programs ended and what they wrote, the deal.
import { crest } from "../cards/crest.js";
import { h } from "../markup.js";
import { t } from "../words.js";

export function botsPanel(game) {
  const { data } = game;
  return h("div", { class: "bots" },
    game.players.map((name, p) => h("section", {}, h("h3", { class: p ? "foe" : "me" }, crest(name, 20), name), times(game.times(p)), ending(data.processes?.[p]),
      data.omitted?.[p] ? h("p", {}, t("bots.omitted", { n: data.omitted[p] })) : null)),
    h("section", {}, h("h3", {}, data.edition),
      Object.entries(data.deal ?? {}).map(([name, value]) => h("p", {}, `${name} `, h("code", {}, value))),
      data.event ? h("p", {}, [data.event.name, t("bots.tournament", { n: data.event.tournament }), t("bots.match", { n: data.event.match }), data.event.at].filter(Boolean).join(" · ")) : null,
      data.rules ? h("p", {}, t("bots.rules", data.rules)) : null));
}

// A bar for each turn, as high as it took long.
function times(all) {
  if (!all.length) return h("p", {}, t("bots.no-times"));
  const most = Math.max(1, ...all), mean = all.reduce((a, b) => a + b, 0) / all.length;
  return [h("p", {}, t("bots.times", { mean: mean.toFixed(mean < 10 ? 1 : 0), most: Math.max(...all) })),
    h("div", { class: "times", "aria-hidden": "true" }, all.map((ms) => h("i", { style: { height: `${Math.max(4, (100 * ms) / most)}%` }, title: t("log.ms", { n: ms }) })))];
}

function ending(end) {
  if (!end) return null;
  const how = end.signal != null ? t("bots.signal", { n: end.signal }) : end.exit_code != null ? t("bots.exit", { n: end.exit_code }) : null;
  return [how ? h("p", {}, how) : null, end.stderr ? [h("p", {}, t("bots.stderr")), h("pre", { tabindex: 0 }, end.stderr)] : null];
}
