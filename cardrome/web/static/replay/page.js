// The page of one replay, which it carries as JSON.
import "./viewer.js";
import { remembered, setTheme } from "../settings.js";
import { chooseLanguage } from "../words.js";

setTheme();
chooseLanguage(remembered("language"));
document.querySelector("cardrome-replay").load(JSON.parse(document.getElementById("replay").textContent));
