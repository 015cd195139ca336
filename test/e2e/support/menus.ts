import type { Page } from "playwright-core";

/** Opens each menu that is shown on the page. @returns those that leave the window at a side, or are covered or cut off there */
export const menusOutside = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const outside: string[] = [];
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu]")) {
      const button = menu.querySelector("summary");
      if (!button?.checkVisibility() || button.getClientRects().length === 0) continue;
      button.scrollIntoView({ block: "center" });
      const placed = new Promise((resolve) => menu.addEventListener("toggle", resolve, { once: true }));
      button.click();
      await placed;
      const panel = menu.querySelector(".menu-panel");
      const { left, right, top } = panel?.getBoundingClientRect() ?? new DOMRect();
      const isSeen = (x: number) =>
        panel?.contains(document.elementFromPoint(x, Math.max(top, 0) + 10)) === true;
      const isInside = left >= 0 && right <= document.documentElement.clientWidth;
      if (!isInside || !isSeen(left + 10) || !isSeen(right - 10))
        outside.push(`${location.pathname} ${button.innerText} from ${left} to ${right}`);
      menu.open = false;
    }
    return outside;
  });
