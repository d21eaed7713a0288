// Metals and fields: the colours that pictures are cut from. Cards keep them in both themes.

export const METAL = {
  or: ['#fff0b8', '#f4c64f', '#c98d1d', '#85570f', '#3f2907'], argent: ['#fbfdff', '#d3dce4', '#99a8b5', '#5c6b79', '#26313b'],
  copper: ['#ffe0cc', '#ee9d72', '#bb633b', '#7b3a20', '#3d190d'], jade: ['#e0fbe9', '#8fdcae', '#46a377', '#22694b', '#0d3323'],
  bone: ['#fff9ea', '#ecdfbe', '#bcaa80', '#7c6c4b', '#3c3421'], plum: ['#f5e8ff', '#cba8ef', '#9266c6', '#5b3884', '#2a1740'],
  ice: ['#ebfbff', '#a8e1f3', '#58adcb', '#2b6b89', '#0e3242'], rose: ['#ffe6ea', '#f49aa9', '#c9556c', '#842a41', '#40101d'],
};
export const EYES = ["#ffd34d", "#ff8a3d", "#7dffb2", "#6fe3ff", "#ff6b7d", "#e6ff6b"];
export const FIELDS = [["#33489a", "#141d42"], ["#8a2a42", "#370d1a"], ["#1f6b58", "#0b2b24"], ["#63398c", "#26133b"], ["#8a5722", "#38200a"], ["#1f6d8c", "#0b2d3d"], ["#636b2c", "#2a2d10"], ["#56607a", "#20252f"]];
export const ITEM_FIELDS = { green: ["#1f7a4e", "#0a3120"], red: ["#962a3b", "#3a0d16"], blue: ["#2461b4", "#0b2249"] };
export const FRAMES = { creature: ["#e9cf9a", "#a97f3d", "#6b4a1c", "#2a1d0d"], green: ["#a6ecc0", "#2f9560", "#12583a", "#08281a"], red: ["#ffb9b4", "#c8404a", "#7a1b2a", "#2d0a10"], blue: ["#b5dcff", "#3d7fd0", "#1b4687", "#0a1c3b"] };

// A colour on its way to another.
export function mix(hex, to, share) {
  const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const [from, goal] = [parts(hex), parts(to)];
  return "#" + from.map((v, i) => Math.round(v + (goal[i] - v) * share).toString(16).padStart(2, "0")).join("");
}
