// Markup and elements. Pictures are written as SVG templates in which every value is escaped unless it is a template
// itself; everything else is built of elements, and whatever strangers wrote becomes a text node.

class Markup {
  constructor(text) { this.text = text; }
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join("");
  if (value === null || value === undefined || value === false) return "";
  return String(value).replace(/[&<>"]/g, (c) => ENTITIES[c]);
}

// A piece of SVG; values are escaped, pieces and lists of pieces are not.
export const svg = (strings, ...values) => new Markup(strings.map((text, i) => text + written(values[i])).join(""));

// Text of this package that is SVG already: the shapes in its tables.
export const trusted = (text) => new Markup(text);

const pictures = new Map();  // by their text: reading one takes longer than copying it

// The picture of a template that is one <svg> element.
export function picture(markup) {
  if (!pictures.has(markup.text)) {
    const text = markup.text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
    if (pictures.size > 1000) pictures.clear();
    pictures.set(markup.text, document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
  }
  return pictures.get(markup.text).cloneNode(true);
}

// An element. Attributes: `class`, `style` (an object), `on...` (a listener), anything else; null and false
// are left out, except that `aria-` states are written out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) continue;
    if (name === "style") for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value);
  }
  element.append(...nodes(children));
  return element;
}

export const nodes = (children) => children.flat(9).filter((child) => child !== null && child !== undefined && child !== false)
  .map((child) => (child instanceof Markup ? picture(child) : child instanceof Node ? child : String(child)));

// Make these the children of an element. Those that are there already stay: taking them out and putting them back would
// cost a layout each, and begin their animations anew.
export function fit(element, children) {
  const wanted = new Set(children);
  for (const old of [...element.childNodes]) if (!wanted.has(old)) old.remove();
  children.forEach((child, i) => { if (element.childNodes[i] !== child) element.insertBefore(child, element.childNodes[i] ?? null); });
}

// A number that is always the same for the same text.
export function hash(text) {
  let h = 2166136261;
  for (const ch of String(text)) { h ^= ch.codePointAt(0); h = Math.imul(h, 16777619); }
  h ^= h >>> 15;
  h = Math.imul(h, 2246822507);
  h ^= h >>> 13;
  return h >>> 0;
}

// A number as people write it: with a minus sign, not a hyphen.
export const figure = (n) => (n < 0 ? `−${-n}` : String(n));

export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? figure(n) : "+0");
