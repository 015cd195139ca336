// Lists whose entries are ticked: one box for all of the page, and how many are ticked.

(() => {
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("[data-selection]");
    if (form === null) return;
    const boxes = [...form.querySelectorAll('[name="id"]')];
    if (target.matches("[data-all]")) for (const box of boxes) box.checked = target.checked;
    const ticked = boxes.filter((box) => box.checked).length;
    const all = form.querySelector("[data-all]");
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    form.querySelector("[data-ticked]").textContent = ticked === 0 ? "" : `${ticked} ticked`;
  });
})();
