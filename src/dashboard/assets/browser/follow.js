// Fields of a code's form that follow each other: a link to a map, pasted into a field of a place, fills in those that it
// has values for.

(() => {
  document.addEventListener("input", (event) => {
    const { target } = event;
    const part = target instanceof HTMLInputElement ? target.closest("[data-place]") : null;
    if (part === null || !(target instanceof HTMLInputElement)) return;
    const place = readMapLink(target.value);
    if (place === null) return;
    target.value = "";
    for (const [name, value] of Object.entries(place)) {
      const field = part.querySelector(`[name="data.${name}"]`);
      if (field instanceof HTMLInputElement && (name !== "label" || field.value === "")) field.value = value;
    }
    say("The place was read from the link");
  });
})();
