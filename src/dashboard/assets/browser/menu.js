// Menus are `details` elements. Escape and a click elsewhere close them, arrow keys move through their items, and a
// menu without space below its button opens above it.

(() => {
  /** @returns {HTMLDetailsElement | null} */
  const opened = () => document.querySelector("details[data-menu][open]");

  /** @param {Element} menu */
  function itemsOf(menu) {
    /** @type {NodeListOf<HTMLElement>} */
    const items = menu.querySelectorAll(".menu-panel :is(a, button, input, select):not([hidden])");
    return [...items].filter((item) => item.checkVisibility());
  }

  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.matches("[data-menu]")) return;
      target.classList.remove("flipped");
      if (!target.open) return;
      const { bottom = 0 } = target.querySelector(".menu-panel")?.getBoundingClientRect() ?? {};
      target.classList.toggle("flipped", bottom > innerHeight && !target.matches(".above"));
    },
    true,
  );

  document.addEventListener("click", ({ target }) => {
    const menu = opened();
    if (menu === null || !(target instanceof Element)) return;
    if (!menu.contains(target) || target.closest(".menu-item") !== null) menu.open = false;
  });

  document.addEventListener("keydown", (event) => {
    const menu = opened();
    if (menu === null) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary")?.focus();
      return;
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !menu.contains(document.activeElement)) return;
    if (document.activeElement?.matches("select, textarea, input:not([type=checkbox], [type=radio])")) return;
    event.preventDefault();
    const items = itemsOf(menu);
    const focused = document.activeElement;
    const index = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
    const next = index === -1 ? (step === 1 ? 0 : items.length - 1) : index + step;
    items[(next + items.length) % items.length]?.focus();
  });

  document.addEventListener("focusin", ({ target }) => {
    const menu = opened();
    if (menu !== null && target instanceof Element && !menu.contains(target)) menu.open = false;
  });
})();
