/** The dashboard's stylesheet. Text has a contrast of at least 4.5:1 in both color schemes. */
export const styles = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2230; --quiet: #5a6376; --line: #e2e5ec; --link: #1d4ed8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12151c; --ink: #e4e8f0; --quiet: #a0a9bb; --line: #2b313d; --link: #8fb4ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 36rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
a { color: var(--link); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .5rem 1.5rem; margin: 0 0 1.5rem; padding: 1rem 0;
  border-block: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; }
button { font: inherit; color: var(--ink); background: transparent; border: 1px solid var(--quiet); border-radius: .375rem;
  padding: .5rem 1rem; min-height: 2.75rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
