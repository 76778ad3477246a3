// On the large screen of a room, the keys of a presenter's remote do what the arrow keys do there.
document.addEventListener("keydown", (event) => {
  const side = { PageUp: "Left", PageDown: "Right" }[event.key];
  const button = side && document.querySelector(`.st-key-presenter-${side} button`);
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) button.click(); // a key that is held down turns one screen
});
