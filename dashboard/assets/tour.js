// Leads to the figure of a stop once it is drawn: its heading stands below the bar, or, where the figure is higher than the
// screen, as much of the drawing as fits. A stop without a figure begins at the top. Whoever scrolls meanwhile is left alone.
const PATIENCE = 20000, REST = 1500, PAUSE = 100; // milliseconds
let led = "";

function place(main, figure) {
  const drawing = figure.querySelector(".js-plotly-plot .main-svg");
  const bar = main.querySelector(".st-key-tour");
  const held = bar && getComputedStyle(bar.parentElement);
  if (!drawing || held?.position !== "sticky") return null; // on a phone a stop begins with its bar
  const upper = parseFloat(held.top) + bar.parentElement.offsetHeight;
  const [whole, drawn] = [figure, drawing].map((part) => part.getBoundingClientRect());
  const top = Math.min(drawn.top, Math.max(whole.top, drawn.bottom + upper - main.getBoundingClientRect().bottom));
  return Math.round(main.scrollTop + top - upper);
}

export default function ({ data }) {
  if (led === data.position) return;
  const isTurned = led !== "";
  led = data.position;
  if (!data.figure) {
    if (isTurned) document.querySelector('[data-testid="stMain"]').scrollTop = 0;
    return;
  }
  let waiting, rest = 0;
  const until = performance.now() + PATIENCE, acts = ["wheel", "touchmove", "pointerdown", "keydown"];
  const leave = () => {
    clearTimeout(waiting);
    acts.forEach((kind) => document.removeEventListener(kind, leave, true));
  };
  const lead = () => {
    const now = performance.now(), main = document.querySelector('[data-testid="stMain"]');
    const figure = main?.querySelector(`.st-key-figure-${data.figure}`), wanted = figure && place(main, figure);
    if (typeof wanted === "number") {
      rest ||= now + REST; // what is drawn above it meanwhile moves it
      if (Math.abs(main.scrollTop - wanted) > 2) main.scrollTop = wanted;
    }
    if (now > (rest || until)) leave();
    else waiting = setTimeout(lead, PAUSE);
  };
  acts.forEach((kind) => document.addEventListener(kind, leave, { capture: true, passive: true }));
  lead();
}
