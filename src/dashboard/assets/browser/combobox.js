// Fields whose choices are found by typing, following the pattern of the ARIA Authoring Practices: arrow keys move
// through the list while the focus stays in the field, Enter selects the marked choice, Escape closes the list. The
// select, or the text input for words, stays in the form and holds the value.

(() => {
  /** @typedef {readonly [value: string, text: string]} Choice */

  /** The most choices that the list shows. Typing narrows them down. */
  const longest = 100;
  /** How long to wait after typing before asking for more choices. Milliseconds. */
  const rest = 150;

  let count = 0;

  /** Folds case and accents. @param {string} text */
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

  /** @param {readonly Choice[]} choices @param {string} text */
  function withWords(choices, text) {
    const words = plain(text).split(/\s+/);
    // Time zones have underscores instead of spaces.
    const found = choices.filter(([, name]) => {
      const all = plain(name).replaceAll("_", " ");
      return words.every((word) => all.includes(word.replaceAll("_", " ")));
    });
    return found.toSorted(([, one], [, other]) => rank(one, text) - rank(other, text));
  }

  /** @param {string} text words separated by commas */
  const wordsIn = (text) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean);

  /** Sorts choices that begin with the text first. @param {string} name @param {string} text */
  const rank = (name, text) => (plain(name).startsWith(plain(text)) ? 0 : 1);

  /**
   * Asks the service for choices that match a text; returns none if it can't be reached.
   * @param {string} source @param {string} text @param {AbortSignal} signal
   * @returns {Promise<readonly Choice[]>}
   */
  async function ask(source, text, signal) {
    try {
      const answer = await fetch(`${source}?q=${encodeURIComponent(text)}`, { signal });
      return answer.ok ? await answer.json() : [];
    } catch {
      return [];
    }
  }

  /** @param {string} name @param {Readonly<Record<string, string>>} attributes */
  function element(name, attributes) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    return made;
  }

  /** @param {HTMLSelectElement | HTMLInputElement} control a select, or a text input for words */
  function enhance(control) {
    const isOne = control instanceof HTMLSelectElement;
    const { source } = control.dataset;
    count += 1;
    const listId = `choices-${count}`;
    const label = document.querySelector(`label[for="${CSS.escape(control.id)}"]`);
    const name = label?.firstChild?.textContent?.trim() ?? "";
    const box = element("div", { class: isOne ? "combobox one" : "combobox many entry" });
    const field = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "text",
        id: control.id,
        role: "combobox",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        "aria-autocomplete": "list",
        "aria-expanded": "false",
        "aria-controls": listId,
      })
    );
    if (isOne) field.className = "entry";
    for (const attribute of ["aria-describedby", "aria-invalid"]) {
      const value = control.getAttribute(attribute);
      if (value !== null) field.setAttribute(attribute, value);
    }
    if (control.required) field.setAttribute("aria-required", "true");
    const list = element("ul", { id: listId, role: "listbox", "aria-label": name });
    list.hidden = true;
    const isFocused = document.activeElement === control;
    control.removeAttribute("id");
    control.hidden = true;
    control.dataset.enhanced = "";
    if (control.nextElementSibling?.matches(".scripted")) control.nextElementSibling.remove();
    control.before(box);
    box.append(control, field, list);

    /** @type {string[]} */
    let words = [];
    /** The value of each option in the list. @type {string[]} */
    let offered = [];
    let marked = -1;
    let isTyped = false;
    let timer = 0;
    let asking = new AbortController();

    /** @returns {readonly Choice[]} */
    const own = () => (isOne ? [...control.options].map(({ value, text }) => [value, text]) : []);
    const chosenText = () => (isOne ? (control.selectedOptions[0]?.text ?? "") : "");

    function changed() {
      for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
    }

    function close() {
      clearTimeout(timer);
      asking.abort();
      list.hidden = true;
      field.setAttribute("aria-expanded", "false");
      mark(-1);
    }

    /** @param {number} index */
    function mark(index) {
      marked = index;
      [...list.querySelectorAll("[role=option]")].forEach((option, i) => {
        option.setAttribute("aria-selected", String(i === index));
        if (i === index) option.scrollIntoView({ block: "nearest" });
      });
      if (index === -1) field.removeAttribute("aria-activedescendant");
      else field.setAttribute("aria-activedescendant", `${listId}-${index}`);
    }

    /** @param {readonly Choice[]} choices */
    function show(choices) {
      const shown = choices.slice(0, longest);
      offered = shown.map(([value]) => value);
      list.replaceChildren(
        ...shown.map(([value, text], i) => {
          const option = element("li", { role: "option", id: `${listId}-${i}` });
          if (isOne && value === control.value) option.dataset.chosen = "";
          option.textContent = text;
          return option;
        }),
      );
      if (shown.length === 0 && isOne) {
        const none = element("li", { class: "none", role: "presentation" });
        none.textContent = "No results";
        list.append(none);
      }
      list.hidden = list.childElementCount === 0;
      field.setAttribute("aria-expanded", String(!list.hidden));
      box.classList.remove("flipped");
      const { bottom, height } = list.getBoundingClientRect();
      const above = box.getBoundingClientRect().top;
      box.classList.toggle("flipped", bottom > innerHeight && above > height);
      mark(isOne && isTyped && shown.length > 0 ? 0 : -1);
      if (isTyped) say(shown.length === 1 ? "1 choice" : `${shown.length} choices`);
    }

    /** Updates the list for the current text. */
    function find() {
      const text = isTyped || !isOne ? field.value.trim() : "";
      clearTimeout(timer);
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const known = text === "" ? own() : withWords(own(), text);
      if (isOne) show(known);
      if (source === undefined || (isOne && text === "")) return;
      timer = setTimeout(async () => {
        const found = await ask(source, text, signal);
        if (signal.aborted) return;
        const fresh = found.filter(
          ([value]) => !words.includes(value) && !known.some(([other]) => other === value),
        );
        const at = marked;
        show([...known, ...fresh]);
        if (at > 0 && at < offered.length) mark(at);
      }, rest);
    }

    /** @param {string} value @param {string} text */
    function choose(value, text) {
      if (!isOne) {
        field.value = "";
        add(value);
        close();
        return;
      }
      if (![...control.options].some((option) => option.value === value))
        control.add(new Option(text, value));
      const isOther = control.value !== value;
      control.value = value;
      field.value = text;
      isTyped = false;
      close();
      if (isOther) changed();
    }

    /** @param {number} index */
    function take(index) {
      const value = offered[index];
      if (value !== undefined) choose(value, list.children[index]?.textContent ?? "");
    }

    // Words.

    /** Stores the words, including the one being typed, so that none is lost when the form is sent. */
    function keep() {
      control.value = [...words, field.value.trim()].filter((word) => word !== "").join(", ");
    }

    /** @param {string} text one word, or several with commas */
    function add(text) {
      words = [...new Set([...words, ...wordsIn(text)])];
      drawWords();
      changed();
    }

    function addTyped() {
      const text = field.value;
      field.value = "";
      if (text.trim() !== "") add(text);
    }

    /** Remaining words keep their elements, because one of them may be about to be clicked. */
    function drawWords() {
      /** @type {NodeListOf<HTMLElement>} */
      const drawn = box.querySelectorAll(".word");
      const old = new Map([...drawn].map((chip) => [chip.dataset.word, chip]));
      for (const [word, chip] of old) if (word === undefined || !words.includes(word)) chip.remove();
      for (const word of words) {
        if (old.has(word)) continue;
        const chip = element("span", { class: "word", "data-word": word });
        const remove = element("button", { type: "button", "aria-label": `Remove ${word}` });
        remove.textContent = "×";
        remove.addEventListener("click", () => {
          words = words.filter((other) => other !== word);
          drawWords();
          changed();
          field.focus();
          say(`${word} removed`);
        });
        chip.append(word, remove);
        field.before(chip);
      }
      keep();
    }

    // User actions.

    field.addEventListener("input", () => {
      isTyped = true;
      if (!isOne && field.value.includes(",")) addTyped();
      if (!isOne) keep();
      find();
    });
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const isOpen = !list.hidden;
      const last = offered.length - 1;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (!isOpen) {
          find();
          if (event.altKey) return;
          const chosen = isOne ? offered.indexOf(control.value) : -1;
          mark(chosen === -1 ? (event.key === "ArrowDown" ? Math.min(0, last) : last) : chosen);
        } else if (event.altKey) close();
        else if (event.key === "ArrowDown") mark(marked >= last ? Math.min(0, last) : marked + 1);
        else mark(marked <= 0 ? last : marked - 1);
      } else if (event.key === "Enter" && isOpen && marked !== -1) {
        event.preventDefault();
        take(marked);
      } else if (event.key === "Enter" && !isOne && field.value.trim() !== "") {
        event.preventDefault();
        addTyped();
        close();
      } else if (event.key === "Escape" && (isOpen || (isOne && isTyped))) {
        event.preventDefault();
        event.stopPropagation();
        close();
        if (isOne) field.value = chosenText();
        isTyped = false;
      } else if (event.key === "Backspace" && !isOne && field.value === "" && words.length > 0) {
        words = words.slice(0, -1);
        drawWords();
        changed();
      }
    });
    field.addEventListener("click", () => {
      if (!list.hidden) return;
      if (isOne) field.select();
      find();
    });
    field.addEventListener("blur", () => {
      close();
      if (!isOne) {
        addTyped();
        return;
      }
      const exact = own().find(([, text]) => plain(text) === plain(field.value));
      const none = field.value.trim() === "" ? own().find(([value]) => value === "") : undefined;
      const [value, text] = exact ?? none ?? [];
      if (isTyped && value !== undefined && text !== undefined) choose(value, text);
      field.value = chosenText();
      isTyped = false;
    });
    // Keeps the focus in the field, which a press elsewhere in the box would take away.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element)) return;
      const option = target.closest("[role=option]");
      if (option !== null) take([...list.children].indexOf(option));
    });
    box.addEventListener("click", ({ target }) => {
      if (target === box) field.focus();
    });

    if (isOne) field.value = chosenText();
    else {
      words = wordsIn(control.value);
      drawWords();
    }
    if (isFocused || control.autofocus) field.focus();
  }

  function enhanceAll() {
    /** @type {NodeListOf<HTMLSelectElement | HTMLInputElement>} */
    const controls = document.querySelectorAll("[data-combobox]:not([data-enhanced])");
    for (const control of controls) enhance(control);
  }
  enhanceAll();
  document.addEventListener("htmx:afterSettle", enhanceAll);
})();
