// The dialog that goes to a place: Ctrl+K or Cmd+K opens it, arrow keys choose among its options, Enter opens the choice.

(() => {
  const dialog = () => document.querySelector("#go");

  /** Marks an option as chosen. The focus stays in the field, which names the option. */
  function choose(field, options, index) {
    const chosen = options[index];
    for (const option of options) option.setAttribute("aria-selected", option === chosen);
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
    if (!event.target.matches("#go input")) return;
    const options = [...palette.querySelectorAll('[role="option"]')];
    const index = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      choose(event.target, options, (index + step + options.length) % options.length);
    } else if (event.key === "Enter" && options[index] !== undefined) {
      event.preventDefault();
      options[index].click();
    }
  });

  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target.id !== "go-options") return;
    choose(dialog().querySelector("input"), [...target.querySelectorAll('[role="option"]')], 0);
  });
})();
