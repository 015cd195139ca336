/**
 * The colours of the service's own pages, light or dark depending on the browser. Text has a contrast of at least
 * 4.5:1. A media query, because phones from before 2024 don't support `light-dark()`.
 */
export const serviceColors = `:root { color-scheme: light dark; --paper: #ffffff; --ink: #14161b; --accent: #14161b; --on-accent: #ffffff; --quiet: #5d626b; --hover: #f2f2f0; --line: #e4e4e2; --edge: #868a91; --signal: #e8431b }
@media (prefers-color-scheme: dark) { :root { --paper: #121316; --ink: #f2f1ee; --accent: #f2f1ee; --on-accent: #14161b; --quiet: #a4a8af; --hover: #1c1e22; --line: #292c31; --edge: #71767f; --signal: #ff6a3d } }`;

/** Text, buttons and focus on every page that people see without signing in. Colours come from the page's variables. */
export const baseRules = `* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1rem; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
.button { display: inline-block; padding: .75rem 1.5rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }`;

/** A finder's ring, rounded, in a square of 24 units. */
export const finderRing =
  "M6 1h12a5 5 0 0 1 5 5v12a5 5 0 0 1-5 5H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5zm0 3.5A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h12a1.5 1.5 0 0 0 1.5-1.5V6A1.5 1.5 0 0 0 18 4.5z";

/** The square in its middle. */
export const finderCentre = "M9 8h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z";

/** The service's mark, a QR code's finder: a ring in the colour of the text around a red square. Decorative. */
export const mark = `<svg class="mark" viewBox="0 0 24 24" width="32" height="32" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${finderRing}"></path><path class="lit" fill="#e8431b" d="${finderCentre}"></path></svg>`;
