// A replay on a site: its viewer can ask the site what an agent thinks of the game.
import "../replay/page.js";

document.querySelector("cardrome-replay").ask = (address) => fetch(address).then((answer) => (answer.ok ? answer.json() : null), () => null);
