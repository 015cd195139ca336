// The editor of a hosted page: opens the part that is chosen in the preview, moves entries of its lists without a request,
// by buttons or with a pointer, scales chosen photos down, and updates the preview after each change. Without this script,
// parts are opened in the list, and the buttons do the same with requests.

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

  // Photos of a phone are larger than a page needs, and contain where they were taken. Redrawn ones don't.

  const scaled = ["image/jpeg", "image/png", "image/webp", "image/avif"];

  /**
   * Draws a photo again, on a side of at most 1600 pixels: as WebP, which has transparency, unless it is a JPEG. Safari
   * can't write WebP, so a large PNG becomes a JPEG on white there.
   * @param {File} file @param {number} maxBytes
   * @returns {Promise<File>} the file itself if it needn't be drawn, or can't be
   */
  async function scaleDown(file, maxBytes) {
    if (!scaled.includes(file.type) || (file.type !== "image/jpeg" && file.size <= maxBytes)) return file;
    const image = await createImageBitmap(file).catch(() => null);
    if (image === null) return file;
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    for (const [type, maxSide, quality] of /** @type {const} */ ([
      [file.type === "image/jpeg" ? "image/jpeg" : "image/webp", 1600, 0.85],
      ["image/jpeg", 1600, 0.7],
      ["image/jpeg", 800, 0.7],
    ])) {
      const factor = Math.min(1, maxSide / Math.max(image.width, image.height));
      canvas.width = Math.max(1, Math.round(image.width * factor));
      canvas.height = Math.max(1, Math.round(image.height * factor));
      if (context !== null && type === "image/jpeg") {
        context.fillStyle = "white";
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      /** @type {Blob | null} */
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, quality));
      if (blob !== null && blob.size <= maxBytes) return new File([blob], file.name, { type: blob.type });
    }
    return file;
  }

  /** The fields whose file has been scaled. @type {WeakSet<HTMLInputElement>} */
  const ready = new WeakSet();
  document.addEventListener(
    "change",
    async (event) => {
      const field = event.target;
      const maxBytes = Number(closest(event, "[data-scaled]")?.dataset.scaled);
      if (!(field instanceof HTMLInputElement) || !(maxBytes > 0) || ready.delete(field)) return;
      event.stopPropagation();
      const [file] = field.files ?? [];
      if (file === undefined) return;
      const files = new DataTransfer();
      files.items.add(await scaleDown(file, maxBytes));
      field.files = files.files;
      ready.add(field);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    },
    true,
  );

  // The preview. No script runs in its frame, so this one reads what is drawn there. The frame is as high as its page and
  // gets no pointer, because the element around it scrolls, and not every browser reports events of such frames.

  /** The name of the part whose fields are in use. */
  let chosen = "";

  /** The preview, in the frame that was loaded last. @returns {Document | null | undefined} */
  const previewed = () => [...(editor()?.querySelectorAll("iframe") ?? [])].at(-1)?.contentDocument;

  /**
   * Marks a part in the preview. The whole page stands for its look.
   * @param {"chosen" | "hovered"} mark @param {string} part
   * @returns {Element | undefined} the first element of the part
   */
  function markPart(mark, part) {
    const shown = previewed();
    if (!shown) return undefined;
    for (const each of shown.querySelectorAll(`[data-${mark}]`)) each.removeAttribute(`data-${mark}`);
    const elements =
      part === "look"
        ? [shown.documentElement]
        : [...shown.querySelectorAll("[data-part]")].filter(
            (each) => each.getAttribute("data-part") === part,
          );
    for (const each of elements) each.setAttribute(`data-${mark}`, "");
    return part === "look" ? undefined : elements[0];
  }

  /** Marks the part in use, and brings it into view. */
  function markChosen() {
    const first = markPart("chosen", chosen);
    const screen = editor()?.querySelector("[data-screen]");
    if (!first || !screen) return;
    const { top, bottom } = first.getBoundingClientRect();
    const isAbove = top < screen.scrollTop;
    if (isAbove || bottom > screen.scrollTop + screen.clientHeight) screen.scrollTo({ top: top - 24 });
  }

  /** @param {string} part */
  function noteChosen(part) {
    if (part === chosen) return;
    chosen = part;
    markChosen();
  }

  /** Returns the name of the part at a point of the window. @param {MouseEvent} event */
  function partAt({ clientX, clientY }) {
    const shown = previewed();
    const { left = 0, top = 0 } = shown?.defaultView?.frameElement?.getBoundingClientRect() ?? {};
    const element = shown?.elementFromPoint(clientX - left, clientY - top);
    return element?.closest("[data-part]")?.getAttribute("data-part") ?? "look";
  }

  /** @param {string} part @returns {HTMLDetailsElement | null | undefined} */
  const detailsOf = (part) => editor()?.querySelector(`details[data-part="${CSS.escape(part)}"]`);

  document.addEventListener("click", (event) => {
    if (closest(event, "[data-screen]") === null) return;
    const part = partAt(event);
    const details = detailsOf(part);
    if (!details) return;
    details.open = true;
    noteChosen(part);
    const fields = ":is(input, select, textarea):not([type=hidden], [type=file], [type=color])";
    /** @type {HTMLElement | null} */ (
      details.querySelector(`.part-fields ${fields}:checked, .part-fields .entry:is(${fields})`)
    )?.focus({ preventScroll: true });
    details.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("pointermove", (event) => {
    if (closest(event, "[data-screen]") !== null) markPart("hovered", partAt(event));
    else if (editor() !== null) markPart("hovered", "");
  });
  document.addEventListener("focusin", (event) => {
    const part = closest(event, "[data-editor] [data-part]")?.dataset.part;
    if (part !== undefined) noteChosen(part);
  });
  // Toggling doesn't bubble.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open || target.closest("[data-editor]") === null)
        return;
      if (target.dataset.part !== undefined) noteChosen(target.dataset.part);
      else resizeFrame();
    },
    true,
  );

  /** Makes the frame as high as its page. */
  function resizeFrame() {
    const shown = previewed();
    const frame = shown?.defaultView?.frameElement;
    if (!shown || !(frame instanceof HTMLElement)) return;
    frame.style.height = "0";
    frame.style.height = `${shown.documentElement.scrollHeight}px`;
  }
  addEventListener("resize", resizeFrame);

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
      old.remove();
      resizeFrame();
      markChosen();
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
    if (closest(event, "[data-editor]") === null) return;
    schedule();
    // A folded part shows the beginning of what it holds.
    const { target } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const details = target.closest("details");
    const text = details?.dataset.from === target.id ? details.querySelector(".part-text") : null;
    if (text) text.textContent = target.value.slice(0, 80);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = closest(event, "#editor");
    // An entry was added or removed.
    if (part !== null) part.dispatchEvent(new Event("input", { bubbles: true }));
    else if (event.detail.boosted || event.target === editor()) schedule();
  });
  if (editor() !== null) schedule();
})();
