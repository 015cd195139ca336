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
    if (!(target instanceof Element) || target.closest("#design") === null) return;
    // The score is that of an earlier design.
    document.querySelector("#score")?.classList.add("stale");
    markLook();
    if (!(target instanceof HTMLInputElement) || target.closest(".color-entry") === null) return;
    follow(target);
    const field = target.parentElement?.querySelector(`[name="${mainColor}"]`);
    if (field instanceof HTMLInputElement && field.form !== null) dropPresetColors(field.form);
  });

  /** Marks the look that the fields make, if they make one. */
  function markLook() {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const looks = document.querySelectorAll("button.look");
    for (const look of looks) {
      const isShown = [...new URLSearchParams(look.value.slice(5))].every(([name, value]) => {
        const field = look.form?.elements.namedItem(name);
        if (field instanceof HTMLInputElement && field.type === "checkbox")
          return field.checked === (value === "on");
        const isField = field instanceof HTMLInputElement || field instanceof RadioNodeList;
        return !isField || field.value.toLowerCase() === value.toLowerCase();
      });
      look.ariaPressed = String(isShown);
    }
  }

  const mainColor = "colorConfig.dotsColor";

  /** Removes the colours that the present preset set besides the main one. @param {HTMLFormElement} form */
  function dropPresetColors(form) {
    /** @param {string} name */
    const currentOf = (name) => {
      const field = form.elements.namedItem(name);
      return field instanceof HTMLInputElement || field instanceof RadioNodeList ? field.value : "";
    };
    /** @type {NodeListOf<HTMLButtonElement>} */
    const presets = form.querySelectorAll("button.preset");
    for (const { value } of presets) {
      const values = new URLSearchParams(value.slice(5));
      for (const [name, of] of presetColors) {
        const isSet = (values.get(of) ?? "") !== "";
        if (isSet && [name, of].every((each) => currentOf(each) === values.get(each))) fill(form, name, "");
      }
    }
  }

  /**
   * Fields that a preset may set, each with the field that holds its colour.
   * @type {readonly (readonly [name: string, of: string])[]}
   */
  const presetColors = [
    ["advanced.gradient.type", "advanced.gradient.to"],
    ["advanced.eyeGradient.type", "advanced.eyeGradient.to"],
    ["colorConfig.cornerColor", "colorConfig.cornerColor"],
  ];

  /**
   * @param {HTMLFormElement} form
   * @param {string} name
   * @param {string} value
   */
  function fill(form, name, value) {
    const field = form.elements.namedItem(name);
    // Assigned to the list itself, an empty value would choose nothing.
    if (field instanceof RadioNodeList)
      for (const each of field) if (each instanceof HTMLInputElement) each.checked = each.value === value;
    if (!(field instanceof HTMLInputElement)) return;
    if (field.type === "checkbox") {
      field.checked = value === "on";
      return;
    }
    const { offered } = field.dataset;
    // A text that was typed in stays.
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
      const values = new URLSearchParams(button.value.slice(5));
      if (values.has(mainColor) && !button.matches(".preset")) dropPresetColors(button.form);
      for (const [name, value] of values) fill(button.form, name, value);
      change();
      say(`${button.textContent.trim() || button.ariaLabel} is set`);
    },
    true,
  );

  // A template has filled in the options.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id === "design") change();
    if (detail.target?.id !== "score") return;
    detail.target.classList.remove("stale");
    isProven = false;
    prove();
  });

  /** Whether the proof shows the design that was measured last. */
  let isProven = false;

  /** Asks for the proof of the design unless its options are folded. */
  function prove() {
    if (isProven || document.querySelector("#design > .more:not([open])") !== null) return;
    isProven = true;
    document.querySelector(".proof-of-design")?.dispatchEvent(new Event("proof"));
  }
  document.addEventListener("toggle", prove, true);
})();
