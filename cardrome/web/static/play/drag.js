// Dragging cards by mouse, pen or finger. A card from the hand goes along; from a creature, an arrow points.

const FAR = 8;  // px until a press is a drag

// `start(card)`: whether it may be dragged; `over(element, point)`: what is under the pointer; `drop(element)`.
export function drags(root, { start, over, drop }) {
  let drag = null, dropped = false;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY);
  const end = () => {
    drag?.card.classList.remove("is-dragged");
    drag?.card.style.removeProperty("translate");
    drag = null;
  };

  root.addEventListener("pointerdown", (event) => {
    const card = event.button === 0 && event.target.closest(".board .card[data-thing]");
    dropped = false;
    drag = card ? { card, x: event.clientX, y: event.clientY, on: false } : null;
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.on) {
      if (Math.hypot(dx, dy) < FAR) return;
      if (!start(drag.card)) { drag = null; return; }
      drag.on = true;
      root.setPointerCapture(event.pointerId);
      drag.card.classList.add("is-dragged");
    }
    const held = drag.card.closest(".hand");
    if (held) drag.card.style.setProperty("translate", `${dx}px ${dy}px`);
    over(under(event), held ? null : [event.clientX, event.clientY]);
  });
  root.addEventListener("pointerup", (event) => {
    if (!drag?.on) { drag = null; return; }
    const element = under(event);
    end();
    dropped = true;
    drop(element);
  });
  // The click that follows belongs to the drag.
  root.addEventListener("click", (event) => { if (dropped && event.detail) { dropped = false; event.stopImmediatePropagation(); } }, { capture: true });
  root.addEventListener("pointercancel", end);
}
