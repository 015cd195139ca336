// Additions to htmx: single-key shortcuts, copy buttons, focus after page changes, dialogs. Everything also works
// without it.

/** Has a text read out by screen readers. @param {string} text */
function say(text) {
  const live = document.querySelector("#live");
  if (live !== null) live.textContent = text;
}
// The scripts of single pages are other modules.
Object.assign(globalThis, { say });

(() => {
  /** @type {(selector: string) => HTMLElement | null} */
  const find = (selector) => document.querySelector(selector);

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    /** @type {HTMLElement | null} */
    const target = event.target.closest("[data-copy], [data-open], [data-close]");
    if (target === null) return;
    if (target.dataset.copy !== undefined) void copy(target);
    else if (target.dataset.open !== undefined) open(target.dataset.open, event);
    else target.closest("dialog")?.close();
  });

  /**
   * Opens a dialog instead of following a link, if there is one and the link isn't opened in a new tab.
   * @param {string} selector
   * @param {MouseEvent} event
   */
  function open(selector, event) {
    const dialog = find(selector);
    if (!(dialog instanceof HTMLDialogElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.showModal();
  }

  /** @param {HTMLElement} button */
  async function copy(button) {
    const { copy: text = "", copied = "" } = button.dataset;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      button.parentElement?.querySelector("input")?.select();
      return;
    }
    const words = button.querySelector("span") ?? button;
    const label = words.textContent;
    words.textContent = copied;
    say(copied);
    setTimeout(() => {
      words.textContent = label;
    }, 2000);
  }

  const show = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const scripted = document.querySelectorAll("[data-script]");
    for (const each of scripted) each.hidden = false;
  };

  /** Downloads the image of a code that was created for it; not again when the page is reloaded. */
  function download() {
    const link = find("[data-download-now]");
    if (link === null) return;
    delete link.dataset.downloadNow;
    history.replaceState(history.state, "", location.pathname);
    link.click();
  }

  function arrive() {
    show();
    download();
  }
  arrive();

  document.addEventListener("htmx:afterSettle", (event) => {
    arrive();
    const { boosted, target, xhr } = event.detail;
    if (!boosted) return;
    const dialog = target?.closest("dialog") ?? null;
    if (dialog !== null) return showIn(dialog, xhr);
    const problem = find("#problems");
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (problem !== null) problem.focus();
    else if (isFree) find("main")?.focus({ preventScroll: true });
    say(document.title);
  });

  /**
   * Shows a dialog with a part of a page; the page itself if it lacks that part, such as a sign-in.
   * @param {HTMLDialogElement} dialog
   * @param {XMLHttpRequest} xhr
   */
  function showIn(dialog, xhr) {
    if (dialog.querySelector("form") === null) return location.assign(xhr.responseURL);
    if (!dialog.open) dialog.showModal();
    // A message outside an open dialog is behind its backdrop.
    const toasts = find("#toasts");
    const home = toasts?.parentElement;
    if (toasts !== null && home && !dialog.contains(home)) {
      dialog.append(toasts);
      dialog.addEventListener("close", () => home.append(find("#toasts") ?? toasts), { once: true });
    }
    /** @type {HTMLElement | null} */
    const first = dialog.querySelector("#problems, .copy .button");
    first?.focus();
  }

  // Files, and pages beside the dashboard, are the browser's own to open.
  document.addEventListener("htmx:beforeProcessNode", ({ target: link }) => {
    if (!(link instanceof HTMLAnchorElement)) return;
    const isPage = link.origin === location.origin && /^\/(dashboard|operator)(\/|$)/.test(link.pathname);
    if (link.hasAttribute("download") || !isPage) link.setAttribute("hx-boost", "false");
  });
  // Nothing else becomes a part of the page, or htmx would act on its attributes. A link then opens it by itself.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { boosted, shouldSwap, xhr } = event.detail;
    if (!shouldSwap || xhr.getResponseHeader("x-swappable") !== null) return;
    event.preventDefault();
    if (boosted) location.assign(xhr.responseURL);
  });

  /** Pasting an address outside a field starts a new code. */
  document.addEventListener("paste", (event) => {
    if (typing(event.target)) return;
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (!text.startsWith("http") || !URL.canParse(text)) return;
    location.assign(`/dashboard/codes/new?data.url=${encodeURIComponent(text)}`);
  });

  /** @param {EventTarget | null} target */
  const typing = (target) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, dialog[open] *"));
  let first = "";
  let timer = 0;
  /** When a letter was last typed as text, in milliseconds since the page's start. */
  let typed = Number.NEGATIVE_INFINITY;
  document.addEventListener("keydown", (event) => {
    if (find('[data-shortcuts="on"]') === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing || event.repeat) return;
    // Typing goes on for a moment after its first letter has had the field replaced.
    const isText = typing(event.target) || event.timeStamp - typed < 700;
    if (isText) {
      typed = event.key.length === 1 ? event.timeStamp : Number.NEGATIVE_INFINITY;
      return;
    }
    const keys = first === "" ? event.key : `${first} ${event.key}`;
    first = "";
    clearTimeout(timer);
    const target = find(`[data-key="${CSS.escape(keys)}"]`);
    if (target === null) {
      if (find(`[data-key^="${CSS.escape(keys)} "]`) === null) return;
      first = keys;
      timer = setTimeout(() => {
        first = "";
      }, 1500);
      return;
    }
    event.preventDefault();
    if (target instanceof HTMLInputElement) target.select();
    else target.click();
  });
})();
