// Lists whose entries are ticked: one box for all of the page, and how many are ticked.

(() => {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const form = target.closest("[data-selection]");
    /** @type {HTMLInputElement | null | undefined} */
    const all = form?.querySelector("[data-all]");
    const number = form?.querySelector("[data-ticked]");
    if (!form || !all || !number) return;
    /** @type {NodeListOf<HTMLInputElement>} */
    const named = form.querySelectorAll('[name="id"]');
    const boxes = [...named];
    if (target === all) for (const box of boxes) box.checked = all.checked;
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    number.textContent = ticked === 0 ? "" : `${ticked} selected`;
  });
})();
