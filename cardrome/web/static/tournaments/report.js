// The one script of a report: what its pages need, and the games on them, which a page carries as JSON.
import "../site/page.js";
import "./page.js";
import "../replay/viewer.js";
import { setTheme } from "../settings.js";
import { chooseLanguage } from "../words.js";

setTheme();
const viewer = document.querySelector("cardrome-replay");
if (viewer) {
  chooseLanguage(document.documentElement.lang);
  viewer.load(JSON.parse(document.getElementById("replay").textContent));
}
