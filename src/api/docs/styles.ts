import { serviceColors } from "../../lib/web/service-style.ts";

/** The page's only stylesheet. Text has a contrast of at least 4.5:1 in both schemes. */
export const referenceStyles = `
@font-face { font-family: Inter; src: url(/api/v1/docs/inter.woff2) format("woff2"); font-weight: 100 900; font-display: swap }
@font-face { font-family: "IBM Plex Mono"; src: url(/api/v1/docs/plex-mono.woff2) format("woff2"); font-display: swap }
${serviceColors}
:root { --frame: #f6f6f5; --good: #1a6b42; --warn: #7a5200; --bad: #b0123c;
  --sans: Inter, system-ui, sans-serif; --mono: "IBM Plex Mono", ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { :root { --frame: #0b0c0e; --good: #6fce9b; --warn: #e8bb52; --bad: #ff8ba1 } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: .875rem/1.5rem var(--sans); overflow-wrap: break-word; }
h1, h2, h3, h4 { margin: 0; text-wrap: balance; }
h1 { font-size: 1.375rem; line-height: 1.75rem; font-weight: 650; letter-spacing: -.018em; }
h1 small { font-size: .8125rem; font-weight: 400; letter-spacing: 0; color: var(--quiet); white-space: nowrap; }
h2 { margin-bottom: .75rem; font-size: 1.375rem; line-height: 1.75rem; font-weight: 650; letter-spacing: -.018em; }
h3 { margin-bottom: .5rem; font-size: 1.0625rem; line-height: 1.5rem; font-weight: 600; }
h3 a { text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1.5rem 0 .25rem; font-size: .8125rem; line-height: 1.125rem; font-weight: 600; }
p { margin: 0 0 .75rem; }
a { color: inherit; text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; border-radius: .25rem; }
code { font: .93em/1.5 var(--mono); letter-spacing: -.01em; }
p code, li > code, td code { background: var(--hover); border-radius: .25rem; padding: .1em .3em; }
.sample { margin: 0 0 .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--frame); }
.bar { display: flex; align-items: center; justify-content: space-between; min-height: 2.25rem; padding: 0 .25rem 0 .75rem;
  border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .75rem; }
pre { margin: 0; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { display: block; font-size: .8125rem; line-height: 1.25rem; }
button { min-height: 1.75rem; padding: 0 .5rem; border: 0; border-radius: .375rem; background: none; color: var(--ink); font: 500 .75rem/1rem var(--sans); cursor: pointer; }
button:hover { background: var(--hover); }
table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; font-size: .8125rem; line-height: 1.25rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { font-weight: 500; }
thead th { color: var(--quiet); font-size: .75rem; font-weight: 400; }
td p { margin: 0; }
.fields, .responses { table-layout: fixed; overflow-wrap: anywhere; }
.fields th:nth-child(1) { width: 33%; } .fields th:nth-child(2) { width: 26%; }
.responses th:nth-child(1) { width: 4rem; } .responses th:nth-child(3) { width: 30%; }
th small { display: block; color: var(--quiet); font-size: .75rem; font-weight: 400; }
.rules { color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); z-index: 2; }
.skip:focus { left: 1rem; top: 1rem; }
.route { overflow-wrap: anywhere; }
.delete { color: var(--bad); }
.s2 { color: var(--good); } .s4 { color: var(--warn); } .s5 { color: var(--bad); }
header { padding: 1.5rem 0 .5rem; }
.back { margin: 0 0 1rem; }
.back a { display: inline-flex; align-items: center; gap: .375rem; min-height: 2.25rem; color: var(--quiet); font-weight: 500; text-decoration: none; }
.back a::before { content: ""; width: .4375rem; height: .4375rem; border: solid; border-width: 0 0 1.75px 1.75px; transform: rotate(45deg); }
.back a:hover { color: var(--ink); }
body > * { padding-inline: 1rem; }
nav { max-height: 28rem; padding-block: .5rem 1rem; overflow-y: auto; border-block: 1px solid var(--line); background: var(--frame); }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .8125rem; line-height: 1.25rem; font-weight: 600; letter-spacing: 0; }
nav h2 a { text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; justify-content: space-between; align-items: baseline; padding: .375rem .5rem; margin-inline: -.5rem;
  border-radius: .375rem; color: var(--quiet); font-size: .8125rem; line-height: 1.25rem; text-decoration: none; }
nav li a:hover { background: var(--hover); color: var(--ink); }
nav li a[aria-current] { background: var(--line); color: var(--ink); font-weight: 500; }
nav h2 a[aria-current] { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .3em; }
nav .method { flex: none; font-size: .6875rem; }
.filter { position: sticky; top: -.5rem; margin: 0 -.5rem; padding: .5rem; background: var(--frame); z-index: 1; }
#filter { width: 100%; height: 2.25rem; padding: 0 .75rem; border: 1px solid var(--edge); border-radius: .375rem; background: var(--paper); color: var(--ink);
  font: inherit; font-size: 1rem; }
#nothing { padding-block: .75rem; color: var(--quiet); }
section { padding-top: 2.5rem; }
article { padding: 1.25rem .25rem .25rem; margin-inline: -.25rem; border-top: 1px solid var(--line); content-visibility: auto; }
.operation { contain-intrinsic-size: auto 10rem; }
article:not(.operation) { padding-block: .375rem; contain-intrinsic-size: auto 3rem; }
section > p + article, section > h2 + article { border-top: 0; padding-top: .75rem; }
:target > h2, :target > h3, :target h3:first-child { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .3em; }
.operation > .route { display: inline-block; margin: 0 0 .5rem; }
.operation > p { max-width: 50rem; margin-bottom: .25rem; }
summary > h3 { display: inline; color: var(--ink); }
.examples h4 { margin: .5rem 0; }
summary { cursor: pointer; min-height: 2.25rem; padding: .5rem 0; font-size: .8125rem; line-height: 1.25rem; color: var(--quiet); }
summary:hover { color: var(--ink); }
.to-contents { position: fixed; right: 1rem; bottom: 1rem; padding: .5rem 1rem; border-radius: .375rem; background: var(--ink); color: var(--paper);
  font-weight: 500; text-decoration: none; }
@media (pointer: coarse) { button, summary, nav li a, .back a { min-height: 2.75rem; } nav li a { align-items: center; } }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 96rem; margin-inline: auto; }
  body > * { padding-inline: 2rem; }
  header { grid-column: 2; padding-top: 2rem; }
  nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; height: 100vh; max-height: none; border-block: 0; border-inline-end: 1px solid var(--line);
    padding: .75rem 1.25rem 2rem; }
  .filter { top: -.75rem; }
  #filter { font-size: .875rem; }
  /* The last section can reach the top, too, where its link is marked. */
  main { grid-column: 2; min-width: 0; padding-bottom: 75vh; }
  .guide, article:not(.operation), header { max-width: 50rem; }
  .to-contents { display: none; }
}
@media (min-width: 80rem) {
  .parts { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); column-gap: 2.5rem; }
  .examples { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
@media print { nav, .to-contents, .skip, button { display: none; } article, details::details-content { content-visibility: visible; } }
`;
