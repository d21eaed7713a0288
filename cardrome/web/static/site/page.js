// What every page of the site has: the language of its texts, the theme button, and elements that templates use.
import "./elements.js";
import { toggleTheme } from "../settings.js";
import { chooseLanguage } from "../words.js";

chooseLanguage(document.documentElement.lang);
document.getElementById("theme")?.addEventListener("click", (event) => {
  event.preventDefault();  // without a script, the button sends the form
  toggleTheme();
});
