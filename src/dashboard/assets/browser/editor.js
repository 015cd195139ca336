// The editor of a hosted page: entries of its lists are moved without a request, by buttons or with a pointer, and the
// preview follows each change. Without this script, its buttons do the same by requests.

(() => {
  const editor = () => document.querySelector("[data-editor]");

  /** Entries are read in their order: only the numbers that people see change. */
  function renumber(list) {
    [...list.children].forEach((entry, i) => {
      for (const number of entry.querySelectorAll("[data-number]")) number.textContent = i + 1;
    });
  }

  function moved(entry) {
    const list = entry.parentElement;
    renumber(list);
    const place = [...list.children].indexOf(entry) + 1;
    const { name } = entry.querySelector("[data-name]").dataset;
    document.querySelector("#live").textContent =
      `${name} is at position ${place} of ${list.children.length}`;
    schedule();
  }

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.("[data-move], [data-preview]");
      if (!button || editor() === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (button.dataset.move === undefined) {
        preview();
        return;
      }
      const entry = button.closest("[data-entry]");
      if (button.dataset.move === "up") entry.previousElementSibling?.before(entry);
      else entry.nextElementSibling?.after(entry);
      button.focus();
      moved(entry);
    },
    true,
  );

  function middleOf(element) {
    const { top, height } = element.getBoundingClientRect();
    return top + height / 2;
  }

  let dragged = null;
  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest?.("[data-handle]");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    dragged = handle.closest("[data-entry]");
    dragged.dataset.dragged = "";
  });
  document.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    const { clientY } = event;
    // Its neighbours are moved past it: a finger loses an element that is taken out of the page.
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

  /** Submits the form into a new frame, which takes the place of the old one once it has loaded. */
  function preview() {
    const form = editor();
    const [old, ...loading] = form.querySelectorAll("iframe");
    for (const frame of loading) frame.remove();
    const frame = old.cloneNode();
    // A name that only this frame has ever had, because a frame may keep a name that was taken from it.
    frames += 1;
    frame.name = `preview-${frames}`;
    old.after(frame);
    frame.addEventListener("load", () => {
      frame.contentWindow.scrollTo(0, old.contentWindow.scrollY);
      old.remove();
    });
    const { action } = form;
    form.action = form.querySelector("[data-preview]").formAction;
    form.target = frame.name;
    HTMLFormElement.prototype.submit.call(form);
    form.removeAttribute("target");
    form.action = action;
  }

  let timer = 0;
  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Some plans have no preview.
      if (editor()?.querySelector("iframe")) preview();
    }, 300);
  }
  document.addEventListener("input", (event) => {
    if (event.target.closest?.("[data-editor]")) schedule();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "editor" || event.detail.boosted) schedule();
  });
  if (editor() !== null) schedule();
})();
