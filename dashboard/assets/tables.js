// Names tables and their buttons, and says below a table that is wider than its place how many
// columns it has: a phone shows no bar to scroll them by.
(() => {
  const BUTTON = '[data-testid="stElementToolbarButton"] button';
  const OPENER = '[data-testid="stPopoverButton"][aria-expanded="true"] p';

  // A download of the table, or what opened it, names it behind a colon.
  function titleOf(table) {
    const download = table.closest('[class*="st-key-table-"]')?.querySelector('[data-testid="stDownloadButton"] p');
    const text = (download ?? document.querySelector(OPENER))?.textContent;
    return text?.slice(text.indexOf(": ") + 2);
  }

  function tell() {
    for (const table of document.querySelectorAll(".stDataFrame")) {
      const [grid, scroller, title] = [table.querySelector("[role=grid]"), table.querySelector(".dvn-scroller"), titleOf(table)];
      for (const button of title ? table.querySelectorAll(BUTTON) : []) {
        if (!button.ariaLabel?.endsWith(`: ${title}`)) button.ariaLabel = `${button.ariaLabel}: ${title}`;
      }
      if (!grid || !scroller) continue;
      if (title && grid.ariaLabel !== title) grid.ariaLabel = title;
      for (const node of [scroller, scroller.firstElementChild]) if (node) sizes.observe(node);
      const isWider = scroller.scrollWidth > scroller.clientWidth + 1;
      const text = isWider ? `${grid.getAttribute("aria-colcount")} columns: swipe the table sideways to see all.` : "";
      if ((table.dataset.columns ?? "") !== text) table.dataset.columns = text;
    }
  }

  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; tell(); }, 300);
  }
  const sizes = new ResizeObserver(soon);
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
})();
