// The form of a brand's colours: fills in the colour picker's value as text.

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.into === undefined) return;
  const field = target.form?.elements.namedItem(target.dataset.into);
  if (field instanceof HTMLInputElement) field.value = target.value;
});
