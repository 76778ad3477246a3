// The way through the pages: one action is one step of the history, a step back leads to where one had scrolled, and on a
// phone the menu closes behind a choice.
(() => {
  const PHONE = window.matchMedia("(max-width: 767px)");
  const ENTRY = '[data-testid="stSidebarNavLink"]';
  const CLOSE = '[data-testid="stSidebarCollapseButton"] button';
  let acted = false;

  // A page completes the address that was opened, and drops what no longer applies: that is no step of its own.
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  history.pushState = (state, unused, url) => {
    if (acted) push({ ...state, step: (step = `${Date.now()}`) }, unused, url);
    else history.replaceState(state, unused, url);
    acted = false;
  };
  history.replaceState = (state, unused, url) => replace({ ...state, step }, unused, url);
  for (const kind of ["pointerdown", "keydown", "click"]) {
    document.addEventListener(kind, () => { acted = true; keep(); }, true);
  }

  // Streamlit draws a page anew for a step back, from its top: it is scrolled once it is as long again.
  const MAIN = '[data-testid="stMain"]';
  const RUNNING = '[data-testid="stApp"][data-test-script-state="running"]';
  const PATIENCE = 10000, REST = 1000, PAUSE = 100; // milliseconds
  let step = history.state?.step ?? `${Date.now()}`;
  let returning = 0;
  const keep = () => {
    const place = document.querySelector(MAIN)?.scrollTop;
    if (place !== undefined) sessionStorage.setItem(`telltale.scrolled.${step}`, place);
  };
  function lead(place, until, rest) {
    const main = document.querySelector(MAIN), now = performance.now();
    if (document.querySelector(RUNNING)) rest = now + REST;
    if (main && main.scrollHeight - main.clientHeight >= place && main.scrollTop !== place) main.scrollTop = place;
    if (now < Math.min(until, rest)) returning = setTimeout(lead, PAUSE, place, until, rest);
  }
  function back() {
    const place = Number(sessionStorage.getItem(`telltale.scrolled.${step}`) ?? 0), now = performance.now();
    clearTimeout(returning);
    if (place) lead(place, now + PATIENCE, now + 3 * REST);
  }
  replace({ ...history.state, step }, "");
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") back();
  window.addEventListener("pagehide", keep);
  window.addEventListener("popstate", ({ state }) => {
    acted = false;
    keep();
    step = state?.step ?? step;
    back();
  }, true);
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    document.addEventListener(kind, () => clearTimeout(returning), { capture: true, passive: true });
  }

  document.addEventListener("click", ({ target }) => {
    if (PHONE.matches && target.closest(ENTRY)) setTimeout(() => document.querySelector(CLOSE)?.click());
  });
})();
