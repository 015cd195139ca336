// The import of a table: dropped files and chosen columns.

(() => {
  /** @param {Event} event */
  const zoneOf = ({ target }) => (target instanceof Element ? target.closest("[data-dropzone]") : null);

  for (const type of /** @type {const} */ (["dragenter", "dragover"])) {
    document.addEventListener(type, (event) => {
      const zone = zoneOf(event);
      if (zone === null || event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    const zone = zoneOf(event);
    if (!(event.relatedTarget instanceof Node) || zone?.contains(event.relatedTarget) !== true) {
      zone?.classList.remove("over");
    }
  });
  document.addEventListener("drop", (event) => {
    const zone = zoneOf(event);
    const input = zone?.querySelector("input");
    if (zone == null || input == null || event.dataTransfer === null) return;
    event.preventDefault();
    zone.classList.remove("over");
    input.files = event.dataTransfer.files;
  });

  // Checks a chosen column immediately.
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset.recheck === undefined) return;
    /** @type {HTMLButtonElement | null | undefined} */
    const button = target.closest("section")?.querySelector("[data-check]");
    if (button) target.form?.requestSubmit(button);
  });
})();
