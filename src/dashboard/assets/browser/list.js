// The list of codes: before it is shown in another way, its address says how it was shown, so that Back returns to that.

(() => {
  function completeAddress() {
    /** @type {HTMLElement | null} */
    const list = document.querySelector("[data-place]");
    if (list?.dataset.place === undefined) return;
    const cursor = new URLSearchParams(location.search).get("cursor");
    const page = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    history.replaceState(history.state, "", list.dataset.place + page);
  }
  document.addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && target.closest("a[data-view]") !== null) completeAddress();
    },
    true,
  );
  document.addEventListener(
    "submit",
    ({ target }) => {
      if (target instanceof Element && target.matches("[data-view]")) completeAddress();
    },
    true,
  );
})();
