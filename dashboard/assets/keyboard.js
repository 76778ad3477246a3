// Keeps the buttons of help out of the tab order, and names those of texts after what they help with, and those of
// fields after their field: Tab goes from field to field, and the help of the field that it reaches is shown and read
// out. What a button unfolds by the keyboard takes the focus, and gives it back when it closes or Tab leaves it; so
// does the menu at the side. A button that is pressed keeps the focus, or leaves it to what stands in its place. A link
// of a lesson redraws the page that is open: the focus goes to its new heading, in view.
(() => {
  const BUTTON = '[data-testid="stTooltipHoverTarget"] button';
  const HELP = `${BUTTON}[aria-label="Help"]`;
  const FULLSCREEN = '.modebar-btn[aria-label="Fullscreen"]';
  const ICON = 'p span[role="img"][aria-label$=" icon"]:not([aria-hidden])';
  const SLIDER = ".stSlider input[aria-label][aria-labelledby]";
  const OF_FIELD = ":is(.stNumberInput, .stSelectbox, .stMultiSelect) button:not([aria-label^=Help]), .stFileUploader section button";
  const LONGEST = 80;
  const FIELD = "input, textarea, [role=radio], [role=checkbox], [role=switch], [role=slider], [data-variant]";
  const OPENER = ".stPopover button";
  const BODY = '[data-testid="stPopoverBody"]';
  const STOP = "a[href], button, input, select, textarea, [tabindex]";
  const HOST = '[data-testid="stBidiComponentIsolated"]';
  const OPEN = '[data-testid="stExpandSidebarButton"]';
  const CLOSE = '[data-testid="stSidebarCollapseButton"] button';
  const STEP = ":is(.st-key-lesson-links, .st-key-lesson-place, .st-key-entries-lessons) a";
  const MAIN = '[data-testid="stMain"]';
  const ACTION = ":is(.stButton, .stDownloadButton, .stFormSubmitButton) button";
  const SCRIPT = '[data-testid="stApp"]';
  const STATE = "data-test-script-state";
  const RUN = ".st-key-run button";
  const PHONE = matchMedia("(max-width: 767px)");
  const NAMES = { [OPEN]: ["Settings", "Menu"], [CLOSE]: ["Close the settings", "Close the menu"] };
  const OVERLAY = matchMedia("(max-width: 899px)");
  let byKeyboard = false;
  let shown = null;
  let opener = null;
  let entered = null;
  let next = "";
  let left = null;
  let pressed = null;

  const nameOf = (button) => button.querySelector("p")?.textContent;
  const widgetOf = (node) => node.closest('[data-testid="stElementContainer"]');

  function leaveOrder() {
    for (const button of document.querySelectorAll(`${BUTTON}:not([tabindex])`)) {
      if (widgetOf(button)?.querySelector(FIELD)) button.tabIndex = -1;
    }
  }

  // What is out of sight at the side is out of reach, and read to nobody.
  function seal() {
    const side = document.querySelector('[data-testid="stSidebar"]');
    if (side) side.inert = side.dataset.collapsed === "true";
  }

  // Streamlit’s own names are others than those that are seen, or the same for all.
  function giveNames() {
    for (const [found, [wide, phone]] of Object.entries(NAMES)) {
      const name = PHONE.matches ? phone : wide;
      for (const button of document.querySelectorAll(found)) if (button.ariaLabel !== name) button.ariaLabel = name;
    }
    for (const button of document.querySelectorAll(HELP)) {
      const widget = widgetOf(button);
      const text = (widget?.querySelector('[data-testid="stMetricLabel"]') ?? widget)?.textContent.trim();
      if (text) button.ariaLabel = `Help for: ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
    }
    for (const button of document.querySelectorAll(OF_FIELD)) {
      const label = widgetOf(button)?.querySelector('[data-testid="stWidgetLabel"] p')?.textContent;
      const own = button.ariaLabel ?? nameOf(button);
      if (label && own && !own.endsWith(`: ${label}`)) button.ariaLabel = `${own}: ${label}`;
    }
    // A text names what its icon stands for, and a slider is named by its own label, not by that of its group as well.
    for (const icon of document.querySelectorAll(ICON)) icon.ariaHidden = "true";
    for (const slider of document.querySelectorAll(SLIDER)) slider.removeAttribute("aria-labelledby");
    for (const button of document.querySelectorAll(FULLSCREEN)) {
      const data = button.closest('[class*="st-key-figure-"]')?.querySelector('[data-testid="stPopoverButton"] p');
      if (data) button.ariaLabel = `Fullscreen: ${data.textContent.slice(data.textContent.indexOf(": ") + 2)}`;
    }
  }

  function point(target, ...kinds) {
    for (const kind of kinds) {
      const Kind = kind.startsWith("pointer") ? PointerEvent : MouseEvent;
      target.dispatchEvent(new Kind(kind, { bubbles: true, pointerType: "mouse", relatedTarget: document.body }));
    }
  }

  function hide() {
    if (!shown) return;
    point(shown.help, "pointerout", "mouseout");
    shown.field.removeAttribute("aria-describedby");
    shown = null;
  }

  // The tooltip comes after a moment, and not at all where another is just closing: then it is asked for again.
  function show(help, field, tries) {
    if (shown?.field !== field || !tries) return;
    const tooltip = document.querySelector('[role="tooltip"]');
    if (tooltip) field.setAttribute("aria-describedby", tooltip.id);
    else point(help, "pointerout", "mouseout", "pointerover", "mouseover");
    if (!tooltip) setTimeout(show, 600, help, field, tries - 1);
  }

  // The body comes last in the document, so that Tab would pass all of the page before it.
  function follow() {
    const body = opener && document.querySelector(BODY);
    // What had the focus may have been drawn anew, and then nothing has it.
    if (body && (body !== entered || document.activeElement === document.body)) {
      body.tabIndex = -1;
      body.focus({ preventScroll: true });
      entered = body;
    } else if (!body && entered) {
      if (document.activeElement === document.body) opener?.focus();
      entered = null; // the opener stays: it may have been pressed again by now
    }
  }

  // Behind the last stop Tab leads on from the button that unfolded it, before the first one back to that button.
  function leave(event) {
    const body = entered && document.querySelector(BODY);
    if (!body || !opener || !body.contains(document.activeElement)) return;
    const stops = [...body.querySelectorAll(`${STOP}, ${HOST}`)].filter(
      (node) => (node.matches(HOST) || node.tabIndex >= 0) && !node.disabled && node.checkVisibility(),
    );
    const at = stops.indexOf(document.activeElement);
    const isFirst = at === 0 || document.activeElement === body;
    const isLast = at === stops.length - 1;
    if (event.shiftKey ? !isFirst : !isLast) return;
    if (event.shiftKey) event.preventDefault();
    opener.focus();
    opener.click();
  }

  // The button that was pressed is gone: the one that stands for it takes the focus.
  function lead() {
    const found = next ? document.querySelector(next) : null;
    if (!found?.checkVisibility({ visibilityProperty: true })) return;
    found.focus();
    next = "";
  }

  function arrive() {
    const heading = left === null ? null : document.querySelector(`${MAIN} h1`);
    if (!heading || heading.textContent === left) return;
    left = null;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    document.querySelector(MAIN).scrollTo(0, 0);
  }

  const canFocus = (button) => button?.isConnected && !button.disabled && button.checkVisibility();

  // A pressed button loses the focus where it is disabled for a moment, drawn anew or taken away: then the same one takes it
  // back; without it, once nothing is computed any more, that of the run, and without a run the heading.
  function giveBack() {
    if (!pressed || document.activeElement !== document.body) return;
    const named = [...document.querySelectorAll(ACTION)].filter((button) => nameOf(button) === pressed.name);
    const same = [pressed.button, ...named].find(canFocus);
    const busy = document.querySelector(SCRIPT)?.getAttribute(STATE) !== "notRunning";
    if (!same && (busy || pressed.button.isConnected || named.length)) return;
    const found = same ?? [...document.querySelectorAll(RUN)].find(canFocus) ?? document.querySelector(`${MAIN} h1`);
    if (!found) return;
    pressed = same ? { ...pressed, button: same } : null;
    if (!same && found.matches("h1")) found.tabIndex = -1;
    found.focus({ preventScroll: Boolean(same) });
  }

  function press({ key, target }) {
    const acts = ["Enter", " "].includes(key) && target.matches(ACTION);
    pressed = acts ? { button: target, name: nameOf(target) } : null;
    if (["Enter", " "].includes(key) && target.matches(OPEN)) next = CLOSE;
    if (["Enter", " "].includes(key) && target.matches(CLOSE)) next = OPEN;
    if (key !== "Escape" || !OVERLAY.matches || !target.closest('[data-testid="stSidebar"]')) return;
    next = OPEN;
    document.querySelector(CLOSE)?.click();
  }

  document.addEventListener("keydown", (event) => {
    byKeyboard = event.key === "Tab";
    if (byKeyboard) leave(event);
    press(event);
    if (event.key === "Escape") hide();
    if (["Enter", " "].includes(event.key) && event.target.matches(OPENER)) opener = event.target;
  }, true);
  document.addEventListener("pointerdown", ({ target }) => {
    byKeyboard = false;
    pressed = null;
    if (!entered?.contains(target)) opener = null;
  }, true);
  document.addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
    if (ctrlKey || metaKey || shiftKey || !target.closest?.(STEP)) return;
    left = document.querySelector(`${MAIN} h1`)?.textContent ?? "";
  }, true);
  document.addEventListener("focusin", ({ target }) => {
    hide();
    if (target !== pressed?.button) pressed = null;
    const widget = byKeyboard && widgetOf(target);
    const help = widget && target.matches(FIELD) && widget.querySelector('[data-testid="stTooltipHoverTarget"]');
    if (!help) return;
    shown = { help, field: target };
    point(help, "pointerover", "mouseover");
    setTimeout(show, 300, help, target, 5);
  });
  document.addEventListener("focusout", hide);
  let waiting = false;
  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; seal(); leaveOrder(); giveNames(); giveBack(); follow(); lead(); arrive(); }, 100);
  }).observe(document.body, {
    attributeFilter: ["data-collapsed", "disabled", STATE], characterData: true, childList: true, subtree: true,
  });
  seal();
  leaveOrder();
  giveNames();
  PHONE.addEventListener("change", giveNames);
})();
