// Feedback on a page: busy buttons, toasts, and the scroll position that Back returns to.

(() => {
  /** How long a toast stays, unless it has a pointer or the focus on it. Milliseconds. */
  const toastTime = 6000;

  /** @param {Element} toast */
  function fade(toast) {
    setTimeout(() => {
      if (toast.matches(":hover, :focus-within")) fade(toast);
      else toast.remove();
    }, toastTime);
  }

  /** @param {string} text */
  function complain(text) {
    const toast = document.createElement("div");
    const words = document.createElement("p");
    toast.className = "toast bad";
    words.textContent = text;
    toast.append(words);
    document.querySelector("#toasts")?.replaceChildren(toast);
    fade(toast);
  }

  const watchToasts = () => {
    for (const toast of document.querySelectorAll("[data-toast]")) {
      toast.removeAttribute("data-toast");
      fade(toast);
    }
  };
  watchToasts();
  document.addEventListener("htmx:afterSettle", watchToasts);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element) target.closest("[data-dismiss]")?.closest(".toast")?.remove();
  });

  // Errors of the connection and the service.

  const unreachable = () =>
    complain(
      navigator.onLine
        ? "The service can't be reached. Check your connection and try again."
        : "You're offline. Try again once you're connected.",
    );
  document.addEventListener("htmx:sendError", unreachable);
  document.addEventListener("htmx:timeout", unreachable);
  document.addEventListener("htmx:responseError", () =>
    complain("Something went wrong on our side. Nothing on this page has changed. Try again in a moment."),
  );
  addEventListener("offline", unreachable);

  // Responses that arrive after their part of the page is gone. Their events reach no ancestor then.

  /** @param {Event} event */
  const ignoreIfLeft = (event) => {
    const target = event instanceof CustomEvent ? event.detail.target : null;
    if (target instanceof Element && !target.isConnected) event.preventDefault();
  };
  document.addEventListener("htmx:beforeRequest", ({ target }) =>
    target?.addEventListener("htmx:beforeOnLoad", ignoreIfLeft, { once: true }),
  );

  // Busy buttons.

  /** @type {(() => void) | null} */
  let release = null;

  /**
   * Turns "Create code" into "Creating".
   * @param {string} text
   */
  function inProgress(text) {
    const [verb = ""] = text.trim().split(/\s/);
    return `${verb.replace(/e$/, "").replace(/^(Sto|Ski)p$/, "$1pp")}ing`;
  }

  /** @param {HTMLButtonElement} button */
  function occupy(button) {
    release?.();
    const content = [...button.childNodes];
    const text = button.innerText;
    const { width } = button.getBoundingClientRect();
    button.style.minWidth = `${width}px`;
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    if (text.trim() !== "") {
      const spinner = document.createElement("span");
      spinner.className = "spinner";
      button.replaceChildren(spinner, inProgress(text));
    }
    release = () => {
      release = null;
      button.style.minWidth = "";
      button.removeAttribute("aria-busy");
      button.disabled = false;
      button.replaceChildren(...content);
    };
  }

  /** @type {HTMLButtonElement | null} */
  let clicked = null;

  document.addEventListener(
    "submit",
    (event) => {
      const { submitter, target } = event;
      const isChange = target instanceof HTMLFormElement && target.method === "post";
      // The page stays while a file is downloaded.
      const isButton =
        submitter instanceof HTMLButtonElement &&
        submitter.matches(".button, .menu-item") &&
        submitter.dataset.download === undefined;
      clicked = isChange && isButton ? submitter : null;
      // htmx sends the form itself. The browser submits after this event, and reads the button's value first.
      setTimeout(() => {
        if (clicked !== null && !event.defaultPrevented) occupy(clicked);
      });
    },
    true,
  );
  // Parts of a page may be requested at the same time.
  /** @type {EventTarget | null} */
  let sending = null;
  document.addEventListener("htmx:beforeSend", ({ target }) => {
    if (clicked === null || target !== clicked.form) return;
    sending = target;
    occupy(clicked);
    clicked = null;
  });
  document.addEventListener("htmx:afterRequest", ({ target }) => {
    if (target === sending || (sending instanceof Node && !sending.isConnected)) release?.();
  });
  addEventListener("pageshow", () => release?.());

  // Scroll positions of visited pages, because htmx reloads a page when Back is pressed.

  const placeOf = () => `scroll ${location.pathname}${location.search}`;
  let place = placeOf();
  history.scrollRestoration = "manual";
  const keep = () => sessionStorage.setItem(place, String(scrollY));
  document.addEventListener("htmx:beforeHistorySave", keep);
  document.addEventListener("htmx:pushedIntoHistory", () => {
    place = placeOf();
  });
  // After Back, the address is already that of the new page.
  addEventListener("pagehide", () => {
    if (place === placeOf()) keep();
  });
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && entry.type !== "navigate") {
    scrollTo(0, Number(sessionStorage.getItem(placeOf()) ?? 0));
  }
})();
