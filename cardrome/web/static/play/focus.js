// Where the keyboard is: the neighbour of an element in the direction of an arrow key, and buttons that keep their focus.

export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// Draw something again; the button with the focus keeps it, if there is one of its id afterwards.
export function keepingFocus(root, draw) {
  const { id } = root.contains(document.activeElement) ? document.activeElement : {};
  draw();
  if (id) root.querySelector(`#${id}`)?.focus({ preventScroll: true });
}

const middle = (element) => { const at = element.getBoundingClientRect(); return [at.left + at.width / 2, at.top + at.height / 2, at.width]; };

// By where things stand on the screen.
export function neighbour(from, elements, [dx, dy]) {
  const around = elements.filter((element) => element !== from && element.getClientRects().length && !element.disabled);
  if (!elements.includes(from)) return from && from !== document.body && elements.length ? nearest(from, around, dx, dy) : undefined;
  return nearest(from, around, dx, dy);
}

function nearest(from, elements, dx, dy) {
  const [x, y] = middle(from);
  let best, least = Infinity;
  for (const element of elements) {
    const [ex, ey] = middle(element), along = (ex - x) * dx + (ey - y) * dy, across = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
    if (along < 4) continue;
    // Straight ahead comes first: what stands aside counts as further away.
    const far = along + 2.5 * across;
    if (far < least) [best, least] = [element, far];
  }
  return best;
}
