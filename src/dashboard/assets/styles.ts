import { serviceColors } from "../../lib/web/service-style.ts";
import { analyticsStyles } from "../analytics/styles.ts";
import { chartStyles } from "../charts/styles.ts";
import { componentStyles } from "./component-styles.ts";

/** Colours, sizes and their names. Text has a contrast of at least 4.5:1, what bounds a control at least 3:1. */
const tokens = `@layer tokens, base, frame, components;
@layer tokens {
${serviceColors}
:root {
  --surface: light-dark(#f5f6f9, #1b2029); --line: light-dark(#dde1e9, #333b48); --edge: light-dark(#7c8698, #768298);
  --quiet: light-dark(#545e70, #a6afc0); --accent-soft: light-dark(#e8eefd, #1d2a4d);
  --good: light-dark(#146c43, #7fd6a4); --good-soft: light-dark(#e3f4ea, #14301f);
  --warn: light-dark(#7d4a00, #f2c063); --warn-soft: light-dark(#fdf1dc, #362a12);
  --bad: light-dark(#b42318, #ffa198); --bad-soft: light-dark(#fdeceb, #3d1a17);
  --on-bad: light-dark(#ffffff, #2b0906);
  --radius: .5rem; --target: 2.75rem; --gap: 1rem;
}
}`;

const base = `@layer base {
*, ::before, ::after { box-sizing: border-box }
html { scrollbar-gutter: stable; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--background); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.625rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.3 }
h3 { margin: 0 0 .5rem; font-size: 1rem }
p { margin: 0 0 1rem }
a { color: var(--accent); text-underline-offset: .15em }
img, svg { display: block; max-width: 100% }
ul.plain, ol.plain { margin: 0; padding: 0; list-style: none }
kbd { display: inline-block; min-width: 1.75rem; padding: .125rem .5rem; border: 1px solid var(--edge); border-radius: .25rem; background: var(--surface); font: .875rem/1.4 ui-monospace, monospace; text-align: center }
code { font: .9375em ui-monospace, monospace }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
main:focus { outline: none }
[hidden] { display: none !important }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation-duration: .01ms !important; transition: none !important; scroll-behavior: auto !important } }
}`;

const frame = `@layer frame {
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; z-index: 3; padding: .625rem 1rem; border-radius: 0 0 var(--radius) var(--radius); background: var(--accent); color: var(--on-accent) }
.skip:focus { top: 0 }
.progress { position: fixed; inset: 0 auto auto 0; z-index: 4; width: 100%; height: 3px; background: var(--accent); transform: scaleX(0); transform-origin: left; opacity: 0 }
.htmx-request .progress, .htmx-request.progress { opacity: 1; transform: scaleX(.7); transition: transform 3s cubic-bezier(.1, .7, .3, 1) }
.top { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; padding: .625rem 1rem; border-bottom: 1px solid var(--line); background: var(--background) }
.brand { display: flex; gap: .625rem; align-items: center; min-width: 0; min-height: var(--target); color: inherit; font-weight: 650; text-decoration: none }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.brand svg { flex: none; width: 1.5rem; height: 1.5rem; color: var(--accent) }
.top search { order: 3; flex: 1 1 100% }
.top .search { display: flex; position: relative }
.top .search svg { position: absolute; inset-inline-start: .75rem; top: .875rem; width: 1rem; height: 1rem; color: var(--quiet); pointer-events: none }
.top .button { flex: none; margin-inline-start: auto }
.top .brand { flex: 1 1 0 }
.side { border-bottom: 1px solid var(--line) }
.side ul { display: flex; gap: .25rem; margin: 0; padding: .25rem .75rem; overflow-x: auto; list-style: none; scrollbar-width: thin }
.side ul a { display: flex; gap: .625rem; align-items: center; min-height: var(--target); padding: .25rem .75rem; border-radius: var(--radius); color: inherit; text-decoration: none; white-space: nowrap }
.side ul a:hover { background: var(--surface) }
.side ul a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600 }
.usage { display: flex; gap: .25rem .75rem; align-items: center; justify-content: space-between; margin: 0; padding: .375rem 1.5rem .625rem; font-size: .875rem; color: var(--quiet) }
.usage p { display: flex; gap: .5rem; justify-content: space-between; margin: 0 }
.usage a { display: inline-block; padding: .375rem 0 }
.usage .who { display: none }
.meter { display: block; flex: 1 1 4rem; width: 100%; min-width: 2rem; height: .5rem; margin: .375rem 0 .25rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); fill: var(--accent) }
.meter[data-level=high] { fill: var(--warn) }
.meter[data-level=full] { fill: var(--bad) }
main section { margin-top: 1.75rem }
.page { max-width: 72rem; padding: 1.25rem 1rem 4rem }
.alone { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem }
.alone .mark { margin: 0 0 1.25rem; color: var(--accent) }
.head { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; margin: 0 0 1.25rem }
.head > div { min-width: 0 }
.back { display: inline-flex; align-items: center; min-height: 2rem; color: var(--quiet); font-size: .9375rem }
@media (min-width: 60rem) {
  .top { padding: .625rem 1.5rem }
  .top search { order: 0; flex: 0 1 26rem; margin-inline-start: 2rem }
  .frame { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); min-height: calc(100vh - 4.0625rem) }
  .top .brand { flex: 0 0 11rem }
  .side { border-bottom: 0; border-inline-end: 1px solid var(--line); background: var(--surface) }
  .side > div { position: sticky; top: 0 }
  .side ul { display: block; padding: 1rem .75rem }
  .side ul a:hover { background: var(--line) }
  .side ul a[aria-current] { background: var(--accent-soft) }
  .usage { display: block; margin: 0 .75rem; padding: 1rem .75rem; border-top: 1px solid var(--line) }
  .usage .who { display: block; margin-top: .5rem }
  .page { width: 100%; margin: 0 auto; padding: 2rem 2.5rem 5rem }
}
}`;

/** CSS without the spaces that only its readers need. */
const compact = (css: string): string => css.replace(/\s*([{};,\n])\s*/g, "$1").replaceAll(": ", ":");

/** The dashboard's stylesheet. */
export const styles = compact(
  [tokens, base, frame, componentStyles, chartStyles, analyticsStyles].join("\n"),
);
