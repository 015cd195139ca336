// Lists with selectable entries: a checkbox for the whole page, and the number of selected entries.

(() => {
  /** @param {HTMLFormElement} form */
  const fieldsOf = (form) => [...form.elements].filter((each) => each instanceof HTMLInputElement);

  /** @param {HTMLFormElement} form */
  const boxesOf = (form) => fieldsOf(form).filter(({ name }) => name === "id");

  /** @param {HTMLFormElement} form */
  function count(form) {
    const boxes = boxesOf(form);
    const selected = boxes.filter((box) => box.checked).length;
    const number = form.querySelector("[data-selected]");
    if (number !== null) number.textContent = `${selected} selected`;
    const all = fieldsOf(form).find(({ dataset }) => dataset.all !== undefined);
    if (all === undefined) return;
    all.checked = selected > 0 && selected === boxes.length;
    all.indeterminate = selected > 0 && selected < boxes.length;
  }

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.form?.matches("[data-selection]")) return;
    if (target.dataset.all !== undefined)
      for (const box of boxesOf(target.form)) box.checked = target.checked;
    count(target.form);
  });
  document.addEventListener("reset", ({ target }) => {
    // Runs after the checkboxes are reset.
    if (target instanceof HTMLFormElement && target.matches("[data-selection]"))
      setTimeout(() => count(target));
  });
})();
