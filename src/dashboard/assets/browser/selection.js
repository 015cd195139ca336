// Lists with selectable entries: a checkbox for the whole page and one for the whole list, the number of selected
// entries, actions that Enter takes, and the selection that Back returns to.

(() => {
  /** @param {HTMLFormElement} form */
  const fieldsOf = (form) => [...form.elements].filter((each) => each instanceof HTMLInputElement);

  /** @param {HTMLFormElement} form */
  const boxesOf = (form) => fieldsOf(form).filter(({ name }) => name === "id");

  /** The checkbox for the whole list. @param {HTMLFormElement} form */
  const wholeList = (form) => fieldsOf(form).find(({ name }) => name === "all");

  const keyOf = () => `selection ${location.pathname}${location.search}`;

  /** @param {HTMLFormElement} form */
  function count(form) {
    const boxes = boxesOf(form);
    const selected = boxes.filter((box) => box.checked);
    const isAll = wholeList(form)?.checked === true;
    const all = form.dataset.selection ?? "";
    const codes = selected.length === 1 ? "1 code" : `${selected.length} codes`;
    for (const each of form.querySelectorAll("[data-selected-codes]")) each.textContent = isAll ? all : codes;
    const number = form.querySelector("[data-selected]");
    if (number !== null) number.textContent = `${isAll ? all : selected.length} selected`;
    const ofPage = fieldsOf(form).find(({ dataset }) => dataset.all !== undefined);
    if (ofPage !== undefined) {
      ofPage.checked = selected.length > 0 && selected.length === boxes.length;
      ofPage.indeterminate = selected.length > 0 && selected.length < boxes.length;
    }
    const ids = selected.map(({ value }) => value);
    if (ids.length === 0) sessionStorage.removeItem(keyOf());
    else sessionStorage.setItem(keyOf(), JSON.stringify({ ids, isAll }));
  }

  /** Selects what was selected when the page was left. @param {HTMLFormElement} form */
  function restore(form) {
    const { ids, isAll } = JSON.parse(sessionStorage.getItem(keyOf()) ?? '{"ids":[]}');
    for (const box of boxesOf(form)) box.checked = ids.includes(box.value);
    const all = wholeList(form);
    if (all !== undefined) all.checked = isAll === true;
  }

  /** @returns {NodeListOf<HTMLFormElement>} */
  const forms = () => document.querySelectorAll("[data-selection]");

  const [entry] = performance.getEntriesByType("navigation");
  const isReturn = entry instanceof PerformanceNavigationTiming && entry.type !== "navigate";
  for (const form of forms()) {
    if (isReturn) restore(form);
    count(form);
  }
  // A page that the browser kept has its checkboxes as they were left.
  addEventListener("pageshow", () => forms().forEach(count));
  document.addEventListener("htmx:afterSettle", () => forms().forEach(count));

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "checkbox") return;
    if (!target.form?.matches("[data-selection]")) return;
    const { form } = target;
    const all = wholeList(form);
    if (target.dataset.all !== undefined || target === all)
      for (const box of boxesOf(form)) box.checked = target.checked;
    if (target !== all && all !== undefined && !target.checked) all.checked = false;
    count(form);
  });
  // Counts after the checkboxes are reset.
  document.addEventListener("reset", () => setTimeout(() => forms().forEach(count)));

  // Opens an action here rather than by default, so that its field has the focus before the next key is pressed.
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const menu = event.target.closest("details:not([open]) > summary")?.parentElement;
    const field = menu?.querySelector("[data-action] [role=combobox]");
    if (!(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    menu?.toggleAttribute("open");
    field.focus();
    field.select();
  });
  // The combobox, if it has a choice to take, has taken it by now.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
    const action = event.target.closest("[data-action]");
    if (action === null) return;
    event.preventDefault();
    /** @type {HTMLInputElement | null} */
    const field = action.querySelector("[data-enhanced]");
    /** @type {HTMLElement | null} */
    const button = action.querySelector("[name=action]");
    if (field?.value) button?.click();
  });
})();
