// The form of a code: the field at the top picks the type for what is pasted into it, a link to a map fills in the place,
// and the lines of rare fields say what is in them.

(() => {
  /** @param {EventTarget | null} target */
  const topOf = (target) =>
    target instanceof HTMLInputElement && target.dataset.top !== undefined ? target : null;
  /** @returns {HTMLElement | null} */
  const types = () => document.querySelector("#type");

  /** @param {HTMLInputElement} field */
  function pickType({ value }) {
    const choice = types();
    // A choice of the person stays.
    if (choice === null || choice.dataset.chosen !== undefined) return;
    const [type] = readPasted(value)?.types ?? [];
    const tile = type && choice.querySelector(`input[value="${type}"]`);
    if (!(tile instanceof HTMLInputElement) || tile.checked) return;
    tile.checked = true;
    tile.dispatchEvent(new Event("change", { bubbles: true }));
    say(`${tile.parentElement?.textContent?.trim()} was picked`);
  }

  let timer = 0;
  document.addEventListener("input", (event) => {
    const field = topOf(event.target);
    if (field !== null) {
      clearTimeout(timer);
      const wait = event instanceof InputEvent && event.inputType === "insertFromPaste" ? 0 : 500;
      timer = setTimeout(() => pickType(field), wait);
    }
    fillInPlace(event.target);
    summarise(event.target);
  });
  document.addEventListener("change", ({ target, isTrusted }) => {
    summarise(target);
    drawAgain(target);
    const choice = types();
    if (isTrusted && choice !== null && target instanceof Node && choice.contains(target)) {
      choice.dataset.chosen = "";
    }
  });

  /**
   * Choosing a type replaces the top field. This keeps the text and the caret.
   * @type {{ text: string, from: number | null, to: number | null } | null}
   */
  let writing = null;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const field = detail.target?.id === "of-type" ? topOf(document.activeElement) : null;
    writing = field && { text: field.value, from: field.selectionStart, to: field.selectionEnd };
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    const field = document.querySelector("[data-top]");
    if (detail.target?.id !== "of-type" || writing === null || !(field instanceof HTMLInputElement)) return;
    // Empty if it was read into other fields.
    if (field.value !== "") field.value = writing.text;
    field.focus();
    if (field.type === "text" || field.type === "tel") field.setSelectionRange(writing.from, writing.to);
    writing = null;
  });

  /** @param {EventTarget | null} target */
  function fillInPlace(target) {
    const part = document.querySelector("[data-place]");
    if (!(target instanceof HTMLInputElement) || part === null) return;
    if (topOf(target) === null && !part.contains(target)) return;
    const place = readMapLink(target.value);
    if (place === null) return;
    target.value = "";
    for (const [name, value] of Object.entries(place)) {
      const field = part.querySelector(`[name="data.${name}"]`);
      if (field instanceof HTMLInputElement && (name !== "label" || field.value === "")) field.value = value;
    }
    say("The place was read from the link");
  }

  /** The looks are drawn with the short link. @param {EventTarget | null} target */
  function drawAgain(target) {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (!isField || !["hash", "domain"].includes(target.name)) return;
    /** @type {NodeListOf<HTMLImageElement>} */
    const pictures = document.querySelectorAll(".look img");
    for (const picture of pictures) {
      const address = new URL(picture.src);
      address.searchParams.set(target.name, target.value);
      picture.src = address.href;
    }
  }

  /** @param {EventTarget | null} target */
  function summarise(target) {
    const line = target instanceof Element ? target.closest(".code-form .rows .more") : null;
    const summary = line?.querySelector("summary .quiet");
    if (!(line instanceof HTMLElement) || !summary) return;
    const texts = [...line.querySelectorAll("input[name], select, textarea")].flatMap((field) => {
      if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text ?? [];
      const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
      return isText && field.type !== "hidden" ? field.value.trim().replace("T", " ") || [] : [];
    });
    summary.textContent = texts.join(", ") || (line.dataset.none ?? "");
  }
})();
