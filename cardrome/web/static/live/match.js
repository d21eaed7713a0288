// A match that is being played, in the viewer of replays: the recording grows, some turns behind the match itself.
import "../replay/viewer.js";
import { h } from "../markup.js";
import { chooseLanguage, t } from "../words.js";
import { remembered, setTheme } from "../settings.js";
import { follow } from "./stream.js";

setTheme();
chooseLanguage(document.documentElement.lang || remembered("language"));
const viewer = document.querySelector("cardrome-replay"), lost = h("p", { class: "lost", role: "status", hidden: true }, t("live.lost-connection"));
document.body.append(lost);
const stop = follow(viewer.dataset.events, (news) => {
  if (viewer.game) viewer.grow(news);
  else {
    viewer.load(news);
    viewer.go(viewer.game.last);
  }
  if (news.outcome) stop();
}, (now) => { lost.hidden = !now; });
