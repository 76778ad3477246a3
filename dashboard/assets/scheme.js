// Says when the browser changes between light and dark: Streamlit leaves the colours of charts as they were drawn.
const DARK = window.matchMedia("(prefers-color-scheme: dark)");
const PRINTED = 500; // milliseconds: printing makes a dark page light for a moment

export default function ({ setStateValue }) {
  let drawn = DARK.matches, waiting;
  const tell = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (DARK.matches !== drawn) setStateValue("scheme", (drawn = DARK.matches) ? "dark" : "light");
    }, PRINTED);
  };
  DARK.addEventListener("change", tell);
  return () => {
    clearTimeout(waiting);
    DARK.removeEventListener("change", tell);
  };
}
