// News of a running tournament. The page asks now and then whether there are any, and takes over the parts of a fresh
// page that differ from its own.
import { restoreSorting, sorting } from "./tables.js";

const PAUSE = 3000;  // ms

const main = () => document.querySelector("main[data-stamp]");
const parts = (page) => [...page.querySelectorAll("[data-live]")];
const seen = new WeakMap();  // a part -> its markup as it came, before anything was done to it

// Where the focus is, to find it again in what replaces the part around it.
function place(element) {
  const link = element?.closest("a[href]");
  return link ? `a[href="${CSS.escape(link.getAttribute("href"))}"]` : null;
}

function replace(part, fresh, prepare) {
  const written = fresh.outerHTML;
  if (seen.get(part) === written) return;
  const focused = part.contains(document.activeElement) ? place(document.activeElement) : null;
  const open = [...part.querySelectorAll("details")].map((each) => each.open), sorted = sorting(part);
  const taken = document.importNode(fresh, true);
  seen.set(taken, written);
  part.replaceWith(taken);
  taken.querySelectorAll("details").forEach((each, i) => { each.open = open[i] ?? each.open; });
  prepare(taken);
  restoreSorting(taken, sorted);
  if (focused) taken.querySelector(focused)?.focus();
}

function take(fresh, prepare) {
  const mine = parts(document), theirs = parts(fresh);
  if (mine.map(({ id }) => id).join() === theirs.map(({ id }) => id).join()) mine.forEach((part, i) => replace(part, theirs[i], prepare));
  else {
    main().replaceChildren(...[...fresh.querySelector("main").childNodes].map((node) => document.importNode(node, true)));
    prepare(main());
  }
  const { stamp } = fresh.querySelector("main").dataset;
  if (stamp) main().dataset.stamp = stamp;
  else main().removeAttribute("data-stamp");
}

async function look(prepare) {
  const { stamp, news } = main().dataset;
  const answer = await fetch(news);
  if (!answer.ok) throw new Error(answer.statusText);
  if ((await answer.json()).stamp === stamp) return;
  const page = await fetch(location.href);
  if (page.ok) take(new DOMParser().parseFromString(await page.text(), "text/html"), prepare);
}

// Keep a page current for as long as its tournament is played.
export function follow(prepare, failures = 0) {
  if (!main()) return;
  setTimeout(async () => {
    const failed = document.hidden ? failures : await look(prepare).then(() => 0, () => failures + 1);
    follow(prepare, failed);
  }, PAUSE * (0.8 + 0.4 * Math.random()) * 2 ** Math.min(failures, 4));
}
