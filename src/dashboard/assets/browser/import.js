// The import of a table: dropped files, chosen columns, and the place on the page, which stays when rows are checked
// again.

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
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // Where the person was, for the page that answers the form.

  const key = "import place";
  /** The id of the cell that was corrected last. */
  let corrected = "";
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".import td input")) corrected = target.id;
  });
  document.addEventListener("submit", ({ target, submitter }) => {
    if (!(target instanceof HTMLFormElement) || !target.matches("form.import")) return;
    if (submitter?.dataset.download !== undefined) return;
    // The fix of a kind of problem leads to the next one, in the panel.
    const isFix = submitter !== null && submitter.closest("#check") !== null;
    const cells = [...target.querySelectorAll("td input")].map(({ id }) => id);
    const after = isFix ? [] : [corrected, ...cells.slice(cells.indexOf(corrected) + 1)];
    sessionStorage.setItem(key, JSON.stringify({ top: scrollY, after }));
  });

  // By then, the browser has gone to the part of the page that the address names.
  addEventListener("pageshow", () => {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (kept === null || document.querySelector("form.import") === null) return;
    /** @type {{ top: number, after: string[] }} */
    const { top, after } = JSON.parse(kept);
    const next = after.map((id) => document.getElementById(id)).find((cell) => cell !== null);
    scrollTo(0, top);
    if (next !== undefined) next.focus();
    else document.getElementById("check")?.focus({ preventScroll: true });
  });

  // Checks a chosen column immediately.
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset.recheck === undefined) return;
    /** @type {HTMLButtonElement | null | undefined} */
    const button = target.closest("section")?.querySelector("[data-check]");
    if (button) target.form?.requestSubmit(button);
  });
})();
