// Words: all texts of the pages, in one file for each language. The browser's language is the first choice.
import en from "../messages/en.json" with { type: "json" };
import fr from "../messages/fr.json" with { type: "json" };

const MESSAGES = { en, fr };
export const LANGUAGES = Object.keys(MESSAGES);
const PLURALS = Object.fromEntries(LANGUAGES.map((code) => [code, new Intl.PluralRules(code)]));
let language = "en";

export const currentLanguage = () => language;

// The language that a reader asked for, or the first of their browser's that there is.
export function chooseLanguage(wanted) {
  const liked = [wanted, ...navigator.languages.map((tag) => tag.split("-")[0])];
  language = liked.find((each) => LANGUAGES.includes(each)) ?? "en";
  document.documentElement.lang = language;
}

function message(key, values) {
  const found = MESSAGES[language][key];
  if (found === undefined) throw new Error(`no text for ${key}`);
  return typeof found === "string" ? found : found[PLURALS[language].select(values.n)] ?? found.other;
}

// A text; `{name}` stands for a value, and a text with several forms takes the one for the number `n`.
export const t = (key, values = {}) => message(key, values).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

// The same, where values may be elements: a list of strings and elements.
export const phrase = (key, values = {}) => message(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part))
  .filter((part) => part !== "" && part !== undefined);
