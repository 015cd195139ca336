/**
 * The cells of tables out of which their content sticks, and those that leave less of a shortened text than says anything.
 * A list of bars draws each across its row.
 */
export function narrowCells(): string[] {
  const enough = 72;
  const nameOf = (cell: Element) =>
    `${cell.closest("table")?.className}: ${cell.textContent?.trim().slice(0, 40)}`;
  return [...document.querySelectorAll<HTMLElement>("main table:not(.bar-list) :is(td, th)")].flatMap(
    (cell) => {
      if (
        cell.closest(".visually-hidden, details:not([open])") !== null ||
        cell.getClientRects().length === 0
      )
        return [];
      const own = cell.getBoundingClientRect();
      if (own.width <= 1) return [];
      const parts = [
        ...cell.querySelectorAll<HTMLElement>(":not(.menu-panel, .menu-panel *, .visually-hidden, svg *)"),
      ];
      const shown = parts.filter((part) => part.getClientRects().length > 0);
      const out = shown.filter(
        (part) =>
          part.getBoundingClientRect().right > own.right + 1 &&
          getComputedStyle(cell).overflowX === "visible",
      );
      const cut = shown.filter(
        (part) =>
          getComputedStyle(part).textOverflow === "ellipsis" &&
          part.scrollWidth > part.clientWidth &&
          part.clientWidth < enough &&
          part.closest(".tag") === null,
      );
      return [
        ...(out.length > 0 ? [`content beyond its cell, ${nameOf(cell)}`] : []),
        ...(cut.length > 0 ? [`a text of ${cut[0]?.clientWidth} pixels, ${nameOf(cell)}`] : []),
      ];
    },
  );
}
