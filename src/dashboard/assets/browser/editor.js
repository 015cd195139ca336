// The editor of a hosted page: moves entries of its lists without a request, by buttons or with a pointer, and updates
// the preview after each change. Without this script, the buttons do the same with requests.

(() => {
  /** @returns {HTMLFormElement | null} */
  const editor = () => document.querySelector("[data-editor]");

  /** @type {(event: Event, selector: string) => HTMLElement | null} */
  const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

  /**
   * Entries are read in document order, so only the visible numbers change.
   * @param {Element} list
   */
  function renumber(list) {
    [...list.children].forEach((entry, i) => {
      for (const number of entry.querySelectorAll("[data-number]")) number.textContent = String(i + 1);
    });
  }

  /** @param {Element} entry */
  function moved(entry) {
    const list = entry.parentElement;
    /** @type {HTMLElement | null} */
    const named = entry.querySelector("[data-name]");
    if (list === null || named === null) return;
    renumber(list);
    const place = [...list.children].indexOf(entry) + 1;
    say(`${named.dataset.name} is at position ${place} of ${list.children.length}`);
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener(
    "click",
    (event) => {
      const button = closest(event, "[data-move], [data-preview]");
      if (button === null || editor() === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (button.dataset.move === undefined) {
        preview();
        return;
      }
      const entry = button.closest("[data-entry]");
      if (entry === null) return;
      if (button.dataset.move === "up") entry.previousElementSibling?.before(entry);
      else entry.nextElementSibling?.after(entry);
      button.focus();
      moved(entry);
    },
    true,
  );

  /** @param {Element} element */
  function middleOf(element) {
    const { top, height } = element.getBoundingClientRect();
    return top + height / 2;
  }

  /** @type {HTMLElement | null} */
  let dragged = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || closest(event, "[data-handle]") === null) return;
    event.preventDefault();
    dragged = closest(event, "[data-entry]");
    if (dragged !== null) dragged.dataset.dragged = "";
  });
  document.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    const { clientY } = event;
    // Moves its neighbours past it instead, because removing an element from the page ends a touch on it.
    let { previousElementSibling: above, nextElementSibling: below } = dragged;
    for (; above !== null && clientY < middleOf(above); above = dragged.previousElementSibling) {
      dragged.after(above);
    }
    for (; below !== null && clientY > middleOf(below); below = dragged.nextElementSibling) {
      dragged.before(below);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      if (dragged === null) return;
      const entry = dragged;
      dragged = null;
      delete entry.dataset.dragged;
      moved(entry);
    });
  }

  let frames = 0;

  /** Submits the form into a new frame, which replaces the old one once it has loaded. */
  function preview() {
    const form = editor();
    /** @type {HTMLButtonElement | null | undefined} */
    const button = form?.querySelector("[data-preview]");
    const [old, ...loading] = form?.querySelectorAll("iframe") ?? [];
    // Some plans have no preview.
    if (!form || !button || !old) return;
    for (const frame of loading) frame.remove();
    const frame = /** @type {HTMLIFrameElement} */ (old.cloneNode());
    // A name that no earlier frame had, because a frame may keep a name that was reassigned.
    frames += 1;
    frame.name = `preview-${frames}`;
    old.after(frame);
    frame.addEventListener("load", () => {
      frame.contentWindow?.scrollTo(0, old.contentWindow?.scrollY ?? 0);
      old.remove();
    });
    const { action } = form;
    form.action = button.formAction;
    form.target = frame.name;
    HTMLFormElement.prototype.submit.call(form);
    form.removeAttribute("target");
    form.action = action;
  }

  let timer = 0;
  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(preview, 300);
  }
  document.addEventListener("input", (event) => {
    if (closest(event, "[data-editor]") !== null) schedule();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = closest(event, "#editor");
    // An entry was added or removed.
    if (part !== null) part.dispatchEvent(new Event("input", { bubbles: true }));
    else if (event.detail.boosted || event.target === editor()) schedule();
  });
  if (editor() !== null) schedule();
})();
