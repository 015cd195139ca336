// Draws the address in the field as a QR code while it is typed, in the look that is chosen. Nothing is sent.

(() => {
  /**
   * A look, as the page describes it. Lengths are in modules.
   * @typedef {{
   *   modules: "square" | "rounded" | "connected" | "dots";
   *   color: string;
   *   corners: string;
   *   background: string;
   *   backgroundRadius: number;
   *   gradient?: { type: "linear" | "radial"; to: string; angle: number };
   *   eyes: string[];
   *   pattern: string | null;
   * }} Look
   */

  const namespace = "http://www.w3.org/2000/svg";
  const quietZone = 4;
  /** Modules of an eye with the light ones around it. */
  const eye = 7;
  /** The radius of convex and of concave corners, by the style of modules. */
  const corners = { square: [0, 0], rounded: [0.32, 0], connected: [0.5, 0.35], dots: [0.5, 0] };

  const form = document.querySelector("form[data-encoder]");
  const figure = document.querySelector("[data-drawing]");
  const field = form?.querySelector("input");
  const sample = figure?.querySelector("img.code");
  if (!(form instanceof HTMLFormElement) || !figure || !field || !(sample instanceof HTMLImageElement))
    return;

  /** @type {Promise<typeof import("uqr")> | undefined} */
  let encoder;
  const load = () => {
    encoder ??= import(form.dataset.encoder ?? "");
    return encoder;
  };

  /** @param {string} name @param {Record<string, string | number>} attributes @param {Node[]} children */
  function create(name, attributes, ...children) {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
  }

  const chosen = () => document.querySelector("input[name=look]:checked");

  /** @returns {Look | null} */
  const chosenLook = () => JSON.parse(chosen()?.getAttribute("data-look") ?? "null");

  /**
   * The text of a code: what was typed, with a scheme, since phones open no address without one.
   * @param {string} typed
   */
  const textOf = (typed) => (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed) ? typed : `https://${typed}`);

  /**
   * The modules that are drawn one by one, as path data.
   * @param {number} size @param {(x: number, y: number) => boolean} isDark @param {Look["modules"]} style
   */
  function modulePath(size, isDark, style) {
    const [outer = 0, inner = 0] = corners[style];
    const parts = [];
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) {
        // Right, down, left and up from each corner, clockwise from the upper left one.
        const sides = [
          [-1, 0, 0, -1],
          [0, -1, 1, 0],
          [1, 0, 0, 1],
          [0, 1, -1, 0],
        ].map(([ax = 0, ay = 0, bx = 0, by = 0]) => ({
          before: style !== "dots" && isDark(x + ax, y + ay),
          after: style !== "dots" && isDark(x + bx, y + by),
          across: isDark(x + ax + bx, y + ay + by),
        }));
        if (isDark(x, y)) {
          const radii = sides.map(({ before, after }) => (before || after ? 0 : outer));
          const [a = 0, b = 0, c = 0, d = 0] = radii;
          parts.push(
            `M${x + a} ${y}H${x + 1 - b}${arc(b, b, b)}V${y + 1 - c}${arc(c, -c, c)}H${x + d}${arc(d, -d, -d)}V${y + a}${arc(a, a, -a)}z`,
          );
        } else if (inner > 0) {
          sides.forEach(({ before, after, across }, corner) => {
            if (before && after && across) parts.push(fillet(x, y, corner, inner));
          });
        }
      }
    }
    return parts.join("");
  }

  /** @param {number} radius @param {number} dx @param {number} dy */
  const arc = (radius, dx, dy) => (radius === 0 ? "" : `a${radius} ${radius} 0 0 1 ${dx} ${dy}`);

  /**
   * Fills a corner of a light module whose neighbours are dark, except for a quarter of a circle.
   * @param {number} x @param {number} y @param {number} corner clockwise from the upper left one @param {number} r
   */
  function fillet(x, y, corner, r) {
    const [cx, cy] = [x + (corner === 1 || corner === 2 ? 1 : 0), y + (corner > 1 ? 1 : 0)];
    const [dx, dy] = [cx === x ? r : -r, cy === y ? r : -r];
    const sweep = dx * dy > 0 ? 0 : 1;
    return `M${cx} ${cy}h${dx}A${r} ${r} 0 0 ${sweep} ${cx} ${cy + dy}z`;
  }

  /**
   * Moves a path, in which only the commands that begin a shape are absolute. With a transform, its gradient would move, too.
   * @param {string} path @param {number} dx @param {number} dy
   */
  const moved = (path, dx, dy) =>
    path.replace(/M(-?\d*\.?\d+) ?(-?\d*\.?\d+)/g, (_, x, y) => `M${dx + Number(x)} ${dy + Number(y)}`);

  /**
   * @param {Look} look @param {number} size modules of the symbol @returns the fill, and its definition if it has one
   */
  function paint({ color, gradient }, size) {
    if (gradient === undefined) return { fill: color, definitions: [] };
    const middle = size / 2;
    const angle = (gradient.angle * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const reach = (Math.abs(cos) + Math.abs(sin)) * middle;
    const place =
      gradient.type === "radial"
        ? { cx: middle, cy: middle, r: size * Math.SQRT1_2 }
        : {
            x1: middle - cos * reach,
            y1: middle - sin * reach,
            x2: middle + cos * reach,
            y2: middle + sin * reach,
          };
    const definition = create(
      `${gradient.type}Gradient`,
      { id: "ink", gradientUnits: "userSpaceOnUse", ...place },
      create("stop", { "stop-color": color }),
      create("stop", { offset: 1, "stop-color": gradient.to }),
    );
    return { fill: "url(#ink)", definitions: [definition] };
  }

  /**
   * Draws a text; null if it is too long for a code.
   * @param {Pick<typeof import("uqr"), "encode" | "QrCodeDataType">} uqr @param {string} text @param {Look} look
   */
  function draw({ encode, QrCodeDataType }, text, look) {
    const { data, types, size } = encode(text, { ecc: "M", border: 0 });
    const far = size - eye;
    const isEye = (/** @type {number} */ x, /** @type {number} */ y) =>
      (x < eye && y < eye) || (x >= far && y < eye) || (x < eye && y >= far);
    // Alignment patterns are drawn as small eyes. Of each, all 25 modules are marked.
    /** @type {[number, number][]} */
    const patterns = [];
    const isPattern = (/** @type {number} */ x, /** @type {number} */ y) =>
      look.pattern !== null && types[y]?.[x] === QrCodeDataType.Alignment && !isEye(x, y);
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) {
        const isFirst = isPattern(x, y) && !patterns.some(([px, py]) => x - px < 5 && y - py < 5 && x >= px);
        if (isFirst) patterns.push([x, y]);
      }
    }
    const isDot = (/** @type {number} */ x, /** @type {number} */ y) =>
      data[y]?.[x] === true && !isEye(x, y) && !isPattern(x, y);
    const { fill, definitions } = paint(look, size);
    const [upperLeft = "", upperRight = "", lowerLeft = ""] = look.eyes;
    const eyes = [
      create("path", { d: upperLeft }),
      create("path", { d: moved(upperRight, far, 0) }),
      create("path", { d: moved(lowerLeft, 0, far) }),
    ];
    const whole = size + 2 * quietZone;
    return create(
      "svg",
      {
        class: "code",
        viewBox: `${-quietZone} ${-quietZone} ${whole} ${whole}`,
        role: "img",
        "aria-label": `QR code that holds ${text}`,
      },
      create("defs", {}, ...definitions),
      create("rect", {
        ...{ x: -quietZone, y: -quietZone, width: whole, height: whole },
        ...{ rx: look.backgroundRadius, fill: look.background },
      }),
      create(
        "g",
        { fill },
        create("path", { d: modulePath(size, isDot, look.modules) }),
        ...patterns.map(([x, y]) => create("path", { d: moved(look.pattern ?? "", x, y) })),
      ),
      create("g", { fill: look.corners === look.color ? fill : look.corners }, ...eyes),
    );
  }

  /** @param {"sample" | "drawn" | "long"} state */
  const say = (state) => {
    for (const note of figure.querySelectorAll("[data-note]")) {
      if (note instanceof HTMLElement) note.hidden = note.dataset.note !== state;
    }
  };

  const show = async () => {
    const look = chosenLook();
    const picture = chosen()?.closest("label")?.querySelector("img");
    if (look === null || !picture) return;
    sample.src = picture.src;
    const typed = field.value.trim();
    const uqr = typed === "" ? undefined : await load();
    // More may have been typed while the encoder was loading.
    if (field.value.trim() !== typed || JSON.stringify(chosenLook()) !== JSON.stringify(look)) return;
    let drawing;
    let state = /** @type {"sample" | "drawn" | "long"} */ ("sample");
    if (uqr !== undefined) {
      try {
        drawing = draw(uqr, textOf(typed), look);
        state = "drawn";
      } catch {
        // More than the largest code holds.
        state = "long";
      }
    }
    figure.querySelector("svg[role=img]")?.remove();
    sample.hidden = drawing !== undefined;
    if (drawing !== undefined) sample.after(drawing);
    say(state);
  };

  for (const each of document.querySelectorAll("[data-script]")) each.removeAttribute("hidden");
  field.addEventListener("focus", () => void load(), { once: true });
  document.addEventListener("input", () => void show());
  // A browser may have kept what was typed before.
  void show();
})();
