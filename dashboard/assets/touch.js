// One tap chooses a point of a chart: plotly chooses what the pointer is over, and a finger is over nothing before.
(() => {
  const tell = (kind) => ({ target, pointerType, clientX, clientY }) => {
    const plot = pointerType === "touch" && target.closest?.(".nsewdrag");
    if (plot) plot.dispatchEvent(new MouseEvent(kind, { bubbles: true, clientX, clientY, view: window }));
  };
  document.addEventListener("pointerdown", tell("mousemove"), true);
  document.addEventListener("pointercancel", tell("mouseout"), true);
})();
