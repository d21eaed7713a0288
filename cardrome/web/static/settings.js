// What a reader has chosen: theme and language. A page that may not keep anything works all the same.

export function remembered(name) {
  const asked = new URLSearchParams(location.search).get(name);
  if (asked) return asked;
  try { return localStorage.getItem(`cardrome-${name}`); } catch { return null; }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`cardrome-${name}`, value);
    document.cookie = `cardrome-${name}=${value}; path=/; max-age=31536000; samesite=lax`;  // for pages that a server makes
  } catch { /* a page without storage */ }
}

const DARK = matchMedia("(prefers-color-scheme: dark)");

// The theme that was chosen, or else the system's.
export function setTheme(theme = remembered("theme")) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

export function toggleTheme() {
  const dark = (document.documentElement.dataset.theme ?? (DARK.matches ? "dark" : "light")) === "dark", theme = dark ? "light" : "dark";
  remember("theme", theme);
  setTheme(theme);
}
