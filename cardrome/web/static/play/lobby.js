// The lobby: the opponents of the chosen edition, and the new game.
import { ask } from "./server.js";
import { t } from "../words.js";

const form = document.querySelector("form.lobby"), alert = form.querySelector("[role=alert]");

// Only opponents that know the game can be chosen; policies know some editions of it.
function offer() {
  const { value: edition, dataset: { family } } = form.querySelector("[name=edition]:is(:checked, [type=hidden])");
  for (const group of form.querySelectorAll("[data-agents]")) {
    group.hidden = group.dataset.agents !== family;
    group.disabled = group.hidden;
  }
  for (const label of form.querySelectorAll("[data-plays]")) {
    const input = label.querySelector("input");
    input.disabled = label.hidden = !label.dataset.plays.split(" ").includes(edition);
    if (input.disabled && input.checked) label.parentElement.querySelector("input:enabled").checked = true;
  }
}

form.addEventListener("change", offer);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { edition, seat = "", seed = "", ...others } = Object.fromEntries(new FormData(form)), [opponent] = Object.values(others);
  const { replay, frame } = form.dataset;  // the moment of a replay to go on from
  const wanted = { edition, opponent, ...(seat === "" ? {} : { seat: Number(seat) }), ...(seed.trim() === "" ? {} : { seed: seed.trim() }), ...(replay === undefined ? {} : { from: { replay, frame: Number(frame) } }) };
  try {
    const { id } = await ask("/play/games", wanted);
    location.assign(`/play/${id}`);
  } catch (error) {
    alert.replaceChildren(error.message || t("play.lost"));
    alert.hidden = false;
  }
});
offer();
