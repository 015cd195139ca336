/** The colours of the service's own pages, light or dark as the browser is. Text has a contrast of at least 4.5:1. */
export const serviceColors =
  ":root { color-scheme: light dark; --background: light-dark(#ffffff, #14181f); --text: light-dark(#1c2230, #e8eaf0); " +
  "--accent: light-dark(#1d4ed8, #8fb4ff); --on-accent: light-dark(#ffffff, #10141c) }";

/** The modules of the service's mark, an SVG path in a square of 17 units: a QR code of three finders. */
export const markPath =
  "M0 0h7v7H0zm1 1v5h5V1zm1 1h3v3H2zM10 0h7v7h-7zm1 1v5h5V1zm1 1h3v3h-3z" +
  "M0 10h7v7H0zm1 1v5h5v-5zm1 1h3v3H2zM10 10h3v3h-3zM14 10h3v3h-3zM10 14h3v3h-3z";

/** The mark above the heading of the service's own pages. Decorative. */
export const mark = `<svg class="mark" viewBox="0 0 17 17" width="51" height="51" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${markPath}"></path></svg>`;
