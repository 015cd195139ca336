// Shows a chart's step or hour for a pointer, a finger or the arrow keys: a ring around it, and a panel beside it. The
// panel's contents are taken from the chart's table.

(() => {
  /** Pixels between ring and panel. */
  const distance = 8;

  /** @param {HTMLElement} frame */
  function connect(frame) {
    const figure = frame.closest("figure");
    const plot = frame.querySelector(".chart-plot");
    const table = figure?.querySelector("table");
    if (!figure || !plot || !table) return;
    const isHours = frame.dataset.hours !== undefined;
    const records = [...(table.tBodies[0]?.rows ?? [])];
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent ?? "");
    // The table of hours has a row per hour and a column per day; the chart is transposed.
    const columns = records.length;
    const rows = isHours ? heads.length - 1 : 1;
    const ring = document.createElement("div");
    ring.className = "chart-ring";
    const panel = document.createElement("div");
    panel.className = "chart-panel";
    panel.setAttribute("role", "status");
    /** The column and row shown; none at first. */
    let column = -1;
    let row = 0;
    frame.tabIndex = 0;

    const hide = () => {
      column = -1;
      ring.remove();
      panel.remove();
    };

    /** @param {number} newColumn @param {number} newRow */
    function show(newColumn, newRow) {
      column = Math.min(Math.max(newColumn, 0), columns - 1);
      row = Math.min(Math.max(newRow, 0), rows - 1);
      if (!figure || !plot || columns === 0) return;
      const outer = figure.getBoundingClientRect();
      const inner = plot.getBoundingClientRect();
      const [width, height] = [inner.width / columns, inner.height / rows];
      const bar = plot.children[column]?.firstElementChild?.getBoundingClientRect();
      const margin = isHours ? 1 : 4;
      const left = (!isHours && bar ? bar.left : inner.left + column * width) - outer.left - margin;
      const size = (!isHours && bar ? bar.width : width) + 2 * margin;
      ring.style.left = `${left}px`;
      ring.style.width = `${size}px`;
      ring.style.top = `${inner.top - outer.top + row * height - margin}px`;
      ring.style.height = `${height + 2 * margin}px`;
      panel.replaceChildren(...contents());
      figure.append(ring, panel);
      const after = left + size + distance;
      const fits = after + panel.offsetWidth <= outer.width;
      panel.style.left = `${fits ? after : Math.max(0, left - distance - panel.offsetWidth)}px`;
    }

    /** @returns {HTMLElement[]} */
    function contents() {
      const cells = [...(records[column]?.cells ?? [])].map((cell) => cell.textContent ?? "");
      const [label = ""] = cells;
      if (isHours) return [strong(`${heads[row + 1]} ${label}`), line("Scans", cells[row + 1] ?? "")];
      return [strong(label), ...cells.slice(1).map((text, index) => line(heads[index + 1] ?? "", text))];
    }

    /** @param {PointerEvent} event */
    function point(event) {
      if (!plot) return;
      const { left, top, width, height } = plot.getBoundingClientRect();
      const x = Math.floor(((event.clientX - left) / width) * columns);
      const y = Math.floor(((event.clientY - top) / height) * rows);
      if (x >= 0 && x < columns && y >= 0 && y < rows) show(x, y);
      else hide();
    }

    frame.addEventListener("pointermove", point);
    frame.addEventListener("pointerdown", point);
    frame.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") hide();
    });
    frame.addEventListener("blur", hide);
    frame.addEventListener("focus", () => {
      if (column < 0 && frame.matches(":focus-visible")) show(columns - 1, 0);
    });
    frame.addEventListener("keydown", (event) => {
      const moves = {
        ArrowLeft: [column - 1, row],
        ArrowRight: [column + 1, row],
        ArrowUp: [column, row - 1],
        ArrowDown: [column, row + 1],
        Home: [0, row],
        End: [columns - 1, row],
      };
      if (event.key === "Escape") hide();
      if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const [x = 0, y = 0] = moves[/** @type {keyof typeof moves} */ (event.key)];
      show(x, y);
    });
  }

  /** @param {string} text */
  function strong(text) {
    const element = document.createElement("strong");
    element.textContent = text;
    return element;
  }

  /** @param {string} name @param {string} value */
  function line(name, value) {
    const element = document.createElement("span");
    const number = document.createElement("b");
    number.textContent = value;
    element.append(name, number);
    return element;
  }

  const connectAll = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const frames = document.querySelectorAll(":is([data-chart], [data-hours]):not([tabindex])");
    for (const frame of frames) connect(frame);
  };
  connectAll();
  document.addEventListener("htmx:afterSettle", connectAll);
})();
