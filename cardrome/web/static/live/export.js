// The scoreboard of an event that is over, on a page that carries its data.
import "./scoreboard.js";
import { remembered, setTheme } from "../settings.js";
import { chooseLanguage } from "../words.js";

setTheme();
chooseLanguage(remembered("language") ?? document.documentElement.lang);
const data = document.getElementById("scoreboard"), board = document.createElement("cardrome-scoreboard");
data.replaceWith(board);
board.show(JSON.parse(data.textContent));
