// The command palette: Ctrl+K or Cmd+K opens it, arrow keys select an option, Enter opens it.

(() => {
  /** @returns {HTMLDialogElement | null} */
  const dialog = () => document.querySelector("#go");

  /** @param {Element} element */
  function optionsIn(element) {
    /** @type {NodeListOf<HTMLElement>} */
    const options = element.querySelectorAll('[role="option"]');
    return [...options];
  }

  /** The address of the option that was selected by an arrow key since the last change of the text. @type {string | null} */
  let picked = null;

  /** @param {Element} option */
  const addressOf = (option) =>
    option.getAttribute("href") ?? option.parentElement?.getAttribute("action") ?? null;

  /**
   * Selects an option. The focus stays in the field, which refers to the option.
   * @param {Element} field
   * @param {HTMLElement[]} options
   * @param {number} index
   */
  function choose(field, options, index) {
    const chosen = options[index];
    for (const option of options) option.setAttribute("aria-selected", String(option === chosen));
    if (chosen === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", chosen.id);
    chosen?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    const palette = dialog();
    if (palette === null || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "k") {
      event.preventDefault();
      if (palette.open) palette.close();
      else if (document.querySelector("dialog[open]") === null) palette.showModal();
      return;
    }
    // One Escape closes it, whatever has the focus and however browsers treat Escape in a search field.
    if (event.key === "Escape" && palette.open) {
      event.preventDefault();
      palette.close();
      return;
    }
    const field = event.target;
    if (!(field instanceof Element) || !field.matches("#go input")) return;
    const options = optionsIn(palette);
    const index = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      const next = (index + step + options.length) % options.length;
      picked = options[next] === undefined ? null : addressOf(options[next]);
      choose(field, options, next);
    } else if (event.key === "Enter" && index !== -1) {
      event.preventDefault();
      options[index]?.click();
    }
  });

  // It begins empty each time. `close` events don't bubble.
  document.addEventListener(
    "close",
    ({ target }) => {
      const field = target === dialog() ? dialog()?.querySelector("input") : null;
      if (!field || field.value === "") return;
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    true,
  );

  document.addEventListener("input", ({ target }) => {
    if (target instanceof Element && target.matches("#go input")) picked = null;
  });

  document.addEventListener("htmx:afterSettle", ({ target }) => {
    const field = dialog()?.querySelector("input");
    if (!field || !(target instanceof Element) || target.id !== "go-options") return;
    // An answer may come after an option was picked from an earlier one, which then stays selected.
    const options = optionsIn(target);
    choose(field, options, Math.max(0, picked === null ? 0 : options.map(addressOf).indexOf(picked)));
  });
})();
