/**
 * The colours of the service's own pages, light or dark as the browser is. Text has a contrast of at least 4.5:1. A media
 * query, because phones older than 2024 don't know `light-dark()`.
 */
export const serviceColors = `:root { color-scheme: light dark; --background: #ffffff; --text: #1c2230; --accent: #1d4ed8; --on-accent: #ffffff; --quiet: #545e70; --accent-soft: #e8eefd }
@media (prefers-color-scheme: dark) { :root { --background: #14181f; --text: #e8eaf0; --accent: #8fb4ff; --on-accent: #10141c; --quiet: #a6afc0; --accent-soft: #1d2a4d } }`;

/** Text, buttons and focus on every page that people see without signing in, in the colours of its variables. */
export const baseRules = `* { box-sizing: border-box }
body { margin: 0; background: var(--background); color: var(--text); font: 1.125rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1rem; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
.button { display: inline-block; padding: .75rem 1.5rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }`;

/** The modules of the service's mark, an SVG path in a square of 17 units: a QR code of three finders. */
export const markPath =
  "M0 0h7v7H0zm1 1v5h5V1zm1 1h3v3H2zM10 0h7v7h-7zm1 1v5h5V1zm1 1h3v3h-3z" +
  "M0 10h7v7H0zm1 1v5h5v-5zm1 1h3v3H2zM10 10h3v3h-3zM14 10h3v3h-3zM10 14h3v3h-3z";

/** The mark above the heading of the service's own pages. Decorative. */
export const mark = `<svg class="mark" viewBox="0 0 17 17" width="51" height="51" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${markPath}"></path></svg>`;
