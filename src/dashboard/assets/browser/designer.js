// The fields of a design: a colour's text and its palette follow each other, and buttons that fill in fields do so without a
// request. The preview follows by itself.

(() => {
  /**
   * The colour of a text in hex, as a browser's palette takes it; null for another text.
   * @param {string} text
   */
  function hexOf(text) {
    const [, digits = ""] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim()) ?? [];
    if (digits === "") return null;
    return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`.toLowerCase();
  }

  /** @param {HTMLInputElement} field */
  function follow(field) {
    const other = [...(field.parentElement?.querySelectorAll("input") ?? [])].find((each) => each !== field);
    if (other === undefined) return;
    const color = hexOf(field.value);
    if (field.type === "color") other.value = field.value;
    else if (color !== null) other.value = color;
  }

  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest(".color-entry") !== null) follow(target);
  });

  /**
   * @param {HTMLFormElement} form
   * @param {string} name
   * @param {string} value
   */
  function fill(form, name, value) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = value;
    if (!(field instanceof HTMLInputElement)) return;
    if (field.type === "checkbox") {
      field.checked = value === "on";
      return;
    }
    const { offered } = field.dataset;
    // A text that somebody wrote stays.
    if (offered !== undefined && field.value !== "" && !offered.split("|").includes(field.value)) return;
    field.value = value;
    if (field.closest(".color-entry") !== null) follow(field);
  }

  const change = () =>
    document.querySelector("#design")?.dispatchEvent(new Event("input", { bubbles: true }));

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target instanceof Element ? event.target.closest("button[name=change]") : null;
      if (!(button instanceof HTMLButtonElement) || button.form === null) return;
      if (!button.value.startsWith("fill?")) return;
      event.preventDefault();
      event.stopPropagation();
      for (const [name, value] of new URLSearchParams(button.value.slice(5))) fill(button.form, name, value);
      change();
      const live = document.querySelector("#live");
      if (live !== null) live.textContent = `${button.textContent.trim() || button.ariaLabel} is set`;
    },
    true,
  );

  // A template has filled in the options.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id === "design") change();
  });
})();
