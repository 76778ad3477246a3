// The way through the pages: one action is one step of the history, and on a phone the menu closes behind a choice.
(() => {
  const PHONE = window.matchMedia("(max-width: 767px)");
  const ENTRY = '[data-testid="stSidebarNavLink"]';
  const CLOSE = '[data-testid="stSidebarCollapseButton"] button';
  let acted = false;

  // A page completes the address that was opened, and drops what no longer applies: that is no step of its own.
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    if (acted) push(state, unused, url);
    else history.replaceState(state, unused, url);
    acted = false;
  };
  for (const kind of ["pointerdown", "keydown", "click"]) {
    document.addEventListener(kind, () => { acted = true; }, true);
  }
  window.addEventListener("popstate", () => { acted = false; }, true);

  document.addEventListener("click", ({ target }) => {
    if (PHONE.matches && target.closest(ENTRY)) setTimeout(() => document.querySelector(CLOSE)?.click());
  });
})();
