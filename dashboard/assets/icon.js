// Streamlit would ask another server for the icon of a page, to show it in the tab: the tab keeps Telltale's mark.
(() => {
  const icon = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, "href");
  Object.defineProperty(HTMLLinkElement.prototype, "href", {
    ...icon,
    set(address) {
      if (new URL(address, document.baseURI).hostname !== "fonts.gstatic.com") icon.set.call(this, address);
    },
  });
})();
