// The page of a rulebook: its examples are fetched once the text is there, and each plays when it is scrolled into view.
import { chooseLanguage } from "../words.js";
import "./example.js";

chooseLanguage(document.documentElement.lang);
const article = document.querySelector("[data-examples]"), answer = await fetch(article.dataset.examples);
if (answer.ok) {
  const found = await answer.json();
  for (const example of article.querySelectorAll("cardrome-example")) example.load(found[example.getAttribute("name")]);
}
