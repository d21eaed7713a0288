// The page of a game in play, which carries its present state as JSON.
import "./table.js";

document.querySelector("cardrome-table").load(JSON.parse(document.getElementById("game").textContent));
