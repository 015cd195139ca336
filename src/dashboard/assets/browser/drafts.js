// Entries that aren't saved yet: a question before they are lost, and drafts that this browser keeps for a day, so that
// they survive the end of a session, a reload and Back. A form's `data-draft` says what is kept of it: by default all
// fields but passwords and files; `ask` keeps nothing; `none` doesn't ask, either, because nothing would be lost. After
// `redraw`, the service shows the form with a draft's entries, because its fields depend on them.

(() => {
  /** How long a draft is kept. Milliseconds. */
  const lifetime = 24 * 60 * 60 * 1000;

  /** The length of the longest draft, in UTF-16 units of its JSON. The browser keeps about five million for all. */
  const maxLength = 200_000;

  /** The number of drafts; the oldest go first. */
  const maxDrafts = 20;

  const prefix = "draft ";

  /** @typedef {{ readonly time: number, readonly entries: readonly [name: string, value: string][] }} Draft */

  /**
   * The path that a form is sent to. Its property isn't, if it has a field of that name.
   * @param {HTMLFormElement | undefined} form
   */
  const actionOf = (form) => form && new URL(form.getAttribute("action") ?? "", location.href).pathname;

  // Keeping.

  /**
   * Returns the name under which a form's draft is kept: its person, its workspace and its address.
   * @param {HTMLFormElement} form
   */
  function keyOf(form) {
    const owner = form.closest("main")?.dataset.drafts;
    const isKept = ["redraw", undefined].includes(form.dataset.draft);
    if (owner === undefined || !isKept) return null;
    return `${prefix}${owner} ${location.pathname}${location.search} ${actionOf(form)}`;
  }

  /** @param {HTMLFormElement} form */
  function entriesOf(form) {
    const isSecret = (/** @type {string} */ name) =>
      form.querySelector(`[type=password][name="${CSS.escape(name)}"]`) !== null;
    return [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" && !isSecret(name) ? [/** @type {[string, string]} */ ([name, value])] : [],
    );
  }

  /** @param {string} key @returns {Draft | null} */
  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null");
    } catch {
      return null;
    }
  }

  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

  function removeOldDrafts() {
    const timeOf = (/** @type {string} */ key) => read(key)?.time ?? 0;
    const newestFirst = keys().sort((one, other) => timeOf(other) - timeOf(one));
    newestFirst.forEach((key, i) => {
      if (i >= maxDrafts || Date.now() - timeOf(key) > lifetime) localStorage.removeItem(key);
    });
  }

  /** @param {HTMLFormElement} form */
  function keep(form) {
    const key = keyOf(form);
    if (key === null || !form.isConnected) return;
    const draft = JSON.stringify({ time: Date.now(), entries: entriesOf(form) });
    try {
      if (draft.length > maxLength) localStorage.removeItem(key);
      else localStorage.setItem(key, draft);
    } catch {
      // The browser's storage is full or turned off. The question before leaving remains.
    }
  }

  // Edits.

  /** @type {HTMLFormElement | null} */
  let edited = null;
  /** The form that was submitted last, until its answer is here, and its key. */
  /** @type {{ readonly form: HTMLFormElement, readonly key: string | null } | null} */
  let sent = null;
  let timer = 0;

  /** @param {Element} element */
  const formOf = (element) => {
    const form = element.closest("form");
    const isChange = form?.method === "post" && form.closest("main") !== null;
    return form !== null && isChange && form.dataset.draft !== "none" ? form : null;
  };

  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof Element) || target.closest("[data-unkept]") !== null) return;
    const form = formOf(target);
    if (form === null) return;
    edited = form;
    clearTimeout(timer);
    timer = setTimeout(() => keep(form), 300);
  });
  addEventListener("pagehide", () => {
    if (edited !== null) keep(edited);
  });

  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return;
    if (/\/sign-out(-everywhere)?$/.test(target.action)) {
      clearTimeout(timer);
      edited = null;
      for (const key of keys()) localStorage.removeItem(key);
    }
    if (target !== edited) return;
    clearTimeout(timer);
    keep(target);
    sent = { form: target, key: keyOf(target) };
    edited = null;
  });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(failure, () => {
      edited ??= sent?.form ?? null;
    });
  }

  /** Whether the page that arrives shows a form again that was refused. */
  let isRefused = false;
  document.addEventListener("htmx:beforeSwap", ({ detail: { boosted, xhr } }) => {
    if (!boosted) return;
    isRefused = sent !== null && xhr.status >= 400;
    if (sent?.key && xhr.status === 200) localStorage.removeItem(sent.key);
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.boosted) arrive();
  });

  function arrive() {
    removeOldDrafts();
    /** @type {NodeListOf<HTMLFormElement>} */
    const forms = document.querySelectorAll("main form");
    const refused = isRefused ? sent?.form : undefined;
    // The page to sign in, in the middle of a form.
    for (const note of document.querySelectorAll("[data-kept]")) {
      note.toggleAttribute(
        "hidden",
        !keys().some((key) => key.includes(` ${note.getAttribute("data-kept")} `)),
      );
    }
    isRefused = false;
    sent = null;
    for (const form of forms) {
      if (formOf(form) === null) continue;
      if (actionOf(form) === actionOf(refused)) edited = form;
      else putBack(form);
    }
  }

  // Putting back.

  /** @param {HTMLFormElement} form */
  function putBack(form) {
    const key = keyOf(form);
    const draft = key === null ? null : read(key);
    if (key === null || draft === null) return;
    const isSame = (/** @type {HTMLFormElement} */ shown) =>
      JSON.stringify(entered(entriesOf(shown))) === JSON.stringify(entered(draft.entries));
    if (isSame(form)) {
      localStorage.removeItem(key);
      return;
    }
    if (form.dataset.draft === "redraw") void redraw(form, draft);
    else {
      fill(form, draft);
      announce(form, draft);
    }
  }

  /**
   * The entries without those that no person made.
   * @param {Draft["entries"]} entries
   */
  const entered = (entries) => entries.filter(([name]) => !["workspaceId", "version", "key"].includes(name));

  /** @param {HTMLFormElement} form @param {Draft} draft */
  async function redraw(form, draft) {
    /** @type {Record<string, string[]>} */
    const values = { change: ["draft"] };
    for (const [name, value] of draft.entries) values[name] = [...(values[name] ?? []), value];
    const select = "form[data-draft=redraw]";
    await htmx.ajax("POST", form.action, { target: form, swap: "outerHTML", select, values });
    const shown = document.querySelector(select);
    if (shown instanceof HTMLFormElement && shown !== form) announce(shown, draft);
  }

  /** @param {HTMLFormElement} form @param {Draft} draft */
  function fill(form, draft) {
    const left = draft.entries.map(([name, value]) => ({ name, value }));
    for (const field of form.elements) {
      if (field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type)) {
        field.checked = left.some(({ name, value }) => name === field.name && value === field.value);
        continue;
      }
      const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
      if (!isText && !(field instanceof HTMLInputElement)) continue;
      if (["password", "file", "submit"].includes(field.type)) continue;
      // Of the hidden fields, only the value that was seen, so that a change by somebody else is still noticed.
      if (field.type === "hidden" && field.name !== "seen") continue;
      const at = left.findIndex(({ name }) => name === field.name);
      const [entry] = at === -1 ? [] : left.splice(at, 1);
      if (entry !== undefined) field.value = entry.value;
    }
  }

  /** @param {HTMLFormElement} form @param {Draft} draft */
  function announce(form, { time }) {
    edited = form;
    const template = document.querySelector("#draft-notice");
    if (!(template instanceof HTMLTemplateElement)) return;
    const notice = template.content.cloneNode(true);
    if (!(notice instanceof DocumentFragment)) return;
    const words = notice.querySelector("[data-draft-time]");
    const isToday = new Date(time).toDateString() === new Date().toDateString();
    const clock = new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    if (words !== null) words.textContent = `from ${isToday ? "" : "yesterday "}${clock}`;
    form.before(notice);
  }

  // Leaving.

  /** @type {(() => void) | null} */
  let leave = null;
  const question = () => {
    const dialog = document.querySelector("#unsaved");
    return dialog instanceof HTMLDialogElement ? dialog : null;
  };
  const isEdited = () => edited?.isConnected === true;

  function discard() {
    clearTimeout(timer);
    const key = edited === null ? null : keyOf(edited);
    if (key !== null) localStorage.removeItem(key);
    edited = null;
  }

  document.addEventListener("htmx:confirm", (event) => {
    const { elt, issueRequest } = event.detail;
    if (!isEdited() || !(elt instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    leave = () => issueRequest(true);
    question()?.showModal();
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    if (target.closest("[data-leave]") !== null) {
      discard();
      question()?.close();
      leave?.();
    }
    if (target.closest("[data-draft-discard]") !== null) {
      discard();
      location.reload();
    }
  });
  addEventListener("beforeunload", (event) => {
    if (isEdited()) event.preventDefault();
  });

  arrive();
})();
