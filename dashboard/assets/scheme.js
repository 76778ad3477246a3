// Says when the browser shows other colours, light or dark, than those that the charts were drawn in.
const DARK = window.matchMedia("(prefers-color-scheme: dark)");
const PRINTED = 500; // milliseconds: printing makes a dark page light for a moment

export default function ({ setStateValue, data }) {
  let drawn = data.drawn === "dark", waiting;
  const tell = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (DARK.matches !== drawn) setStateValue("scheme", (drawn = DARK.matches) ? "dark" : "light");
    }, PRINTED);
  };
  DARK.addEventListener("change", tell);
  tell(); // the browser may have changed before it drew this
  return () => {
    clearTimeout(waiting);
    DARK.removeEventListener("change", tell);
  };
}
