// How long things are shown, wherever a game is shown deed by deed.

export const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 1500;

// For how long a frame stands before the next one follows, in ms at normal speed.
export const pause = ({ kind, deed }) => PACE * (kind === "draft" || deed?.kind === "turn" ? 0.6 : 1);
