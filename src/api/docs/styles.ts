/** The page's only stylesheet. Text keeps a contrast of 4.5 to 1 or more in both schemes. */
export const referenceStyles = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c2230; --quiet: #5a6376; --line: #e2e5ec; --tint: #f4f6fa;
  --link: #1d4ed8; --get: #1d4ed8; --post: #15703a; --patch: #92500a; --delete: #b3261e;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151c; --ink: #e4e8f0; --quiet: #a0a9bb; --line: #2b313d; --tint: #1a1f29;
    --link: #8fb4ff; --get: #8fb4ff; --post: #6cd394; --patch: #f0b35c; --delete: #ff9d94;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 90rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
h1 small { font-size: .875rem; font-weight: 500; color: var(--quiet); white-space: nowrap; }
h2 { font-size: 1.5rem; margin: 0 0 .75rem; }
h3 { font-size: 1.2rem; margin: 0 0 .5rem; }
h4 { font-size: .8125rem; margin: 1.5rem 0 .25rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); }
p { margin: 0 0 .75rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: .875em/1.5 var(--mono); }
p code, li > code, td code { background: var(--tint); border-radius: .25rem; padding: .1em .3em; }
pre { margin: 0 0 .75rem; padding: .875rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--tint); border: 1px solid var(--line);
  border-radius: .5rem; font-size: .9375rem; line-height: 1.5; }
pre code { display: block; }
table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { font-weight: 500; }
thead th { color: var(--quiet); font-size: .8125rem; }
td p { margin: 0; }
.fields, .responses { table-layout: fixed; overflow-wrap: anywhere; }
.fields th:nth-child(1) { width: 33%; } .fields th:nth-child(2) { width: 26%; }
.responses th:nth-child(1) { width: 4.5rem; } .responses th:nth-child(3) { width: 28%; }
th small { display: block; color: var(--quiet); font-weight: 400; }
.rules { color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 1rem; top: 1rem; }
.route { overflow-wrap: anywhere; }
.method { font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.status { font-weight: 600; } .s2 { color: var(--post); } .s4 { color: var(--patch); } .s5 { color: var(--delete); }
header { padding: 2.5rem 0 1rem; }
header p { margin: 0 0 .25rem; }
nav { padding: 1rem 0 2rem; border-bottom: 1px solid var(--line); font-size: .9375rem; }
nav h2 { font-size: .8125rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); margin: 1.25rem 0 .25rem; }
nav h2 a { color: inherit; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav li a { color: var(--ink); }
nav .names { display: flex; flex-wrap: wrap; column-gap: 1.25rem; }
nav .method { display: inline-block; min-width: 4.5em; }
section { padding-top: 2.5rem; }
article { padding: 1.75rem 0 1rem; border-top: 1px solid var(--line); }
section > p + article, section > h2 + article { border-top: 0; padding-top: .75rem; }
:target > h2, :target > h3, :target h3:first-child { text-decoration: underline; text-decoration-color: var(--link);
  text-underline-offset: .3em; }
.details > .route { display: inline-block; margin: 0 0 .75rem; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .375rem; }
.examples h4 { margin-top: .5rem; }
.examples pre { margin-top: .5rem; }
summary { cursor: pointer; font-size: .9375rem; color: var(--link); padding: .25rem 0; }
.to-contents { position: fixed; right: 1rem; bottom: 1rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 2rem;
  background: var(--paper); text-decoration: none; font-size: .9375rem; box-shadow: 0 1px 6px rgb(0 0 0 / .2); }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); column-gap: 3rem; padding-inline: 2rem; }
  header { grid-column: 2; padding-top: 3rem; }
  nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0;
    padding: 2rem .5rem 2rem 0; }
  nav .names { display: block; }
  main { grid-column: 2; min-width: 0; }
  .guide, article:not(.operation), header { max-width: 46rem; }
  .to-contents { display: none; }
}
@media (min-width: 80rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); column-gap: 2.5rem; }
  .examples { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
@media print { nav, .to-contents, .skip { display: none; } }
`;
