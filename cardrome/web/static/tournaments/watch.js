// A page on which one game is watched: the page carries it as JSON.
import "../replay/viewer.js";
import { setTheme } from "../settings.js";
import { chooseLanguage } from "../words.js";

const viewer = document.querySelector("cardrome-replay");
if (viewer) {
  setTheme();
  chooseLanguage(document.documentElement.lang);
  viewer.load(JSON.parse(document.getElementById("replay").textContent));
}
