// Menus are `details` elements. Escape and a click elsewhere close them, and arrow keys move through their items. The
// menus of a list's rows take their items from a template when they are opened. A menu without space below its button
// opens above it, and one that would leave the window at a side is moved into it.

(() => {
  /** @returns {HTMLDetailsElement | null} */
  const opened = () => document.querySelector("details[data-menu][open]");

  /** @param {Element} menu */
  function itemsOf(menu) {
    /** @type {NodeListOf<HTMLElement>} */
    const items = menu.querySelectorAll(".menu-panel :is(a, button, input, select):not([hidden])");
    return [...items].filter((item) => item.checkVisibility());
  }

  /** The distance of menus from the edges of the window, CSS pixels. */
  const margin = 8;

  /**
   * Places the panel of a menu that has just been opened.
   * @param {HTMLDetailsElement} menu
   * @param {HTMLElement} panel
   */
  function place(menu, panel) {
    menu.classList.remove("flipped");
    panel.style.removeProperty("translate");
    if (!menu.open) return;
    // The animation moves the panel, too.
    for (const animation of panel.getAnimations()) animation.finish();
    const { bottom, height, left, right } = panel.getBoundingClientRect();
    const { top } = menu.getBoundingClientRect();
    const isAbove = menu.matches(".above");
    menu.classList.toggle("flipped", !isAbove && bottom > innerHeight && top > height);
    const { clientWidth } = document.documentElement;
    const shift = Math.max(margin - left, Math.min(0, clientWidth - margin - right));
    if (shift !== 0) panel.style.translate = `${shift}px`;
  }

  /**
   * Fills a menu with the items of its template.
   * @param {HTMLDetailsElement} menu
   * @param {HTMLElement} panel
   */
  function fill(menu, panel) {
    const template = document.getElementById(menu.dataset.template ?? "");
    if (!(template instanceof HTMLTemplateElement)) return;
    delete menu.dataset.template;
    /** @type {Record<string, string>} */
    const values = JSON.parse(menu.dataset.values ?? "{}");
    const items = document.importNode(template.content, true);
    for (const element of items.querySelectorAll("*")) {
      for (const attribute of element.attributes)
        attribute.value = attribute.value.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
      // Those that need scripts.
      element.removeAttribute("hidden");
    }
    panel.replaceChildren(items);
    htmx.process(panel);
  }

  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.matches("[data-menu]")) return;
      const panel = target.querySelector(".menu-panel");
      if (!(panel instanceof HTMLElement)) return;
      if (target.open) fill(target, panel);
      place(target, panel);
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
    const focused = document.activeElement;
    if (step === 0 || !menu.contains(focused)) return;
    if (focused?.matches("select, textarea, input:not([type=checkbox], [type=radio])")) return;
    event.preventDefault();
    const items = itemsOf(menu);
    const index = items.findIndex((item) => item === focused);
    const next = index === -1 ? (step === 1 ? 0 : items.length - 1) : index + step;
    items[(next + items.length) % items.length]?.focus();
  });

  document.addEventListener("focusin", ({ target }) => {
    const menu = opened();
    if (menu !== null && target instanceof Element && !menu.contains(target)) menu.open = false;
  });
})();
