import type { Palette } from "../domain/pages/content.ts";
import { isLighter } from "../lib/image/color.ts";
import { serviceColors } from "../lib/web/service-style.ts";

/** CSS without the spaces that only its readers need. */
const compact = (css: string): string => css.replace(/\s*([{};,\n])\s*/g, "$1").replaceAll(": ", ":");

/** The rules that all pages share. */
const rules = compact(`* { box-sizing: border-box }
body { margin: 0; background: var(--background); color: var(--text); font: 1.125rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem }
p { margin: 0 0 1rem; white-space: pre-line }
img { display: block; width: 100%; height: auto; margin: 0 0 1rem; border-radius: .5rem }
.button { display: block; width: 100%; margin: 0 0 1rem; padding: .75rem 1rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
form { margin: 2rem 0 0 }
fieldset { margin: 0; padding: 0; border: 0 }
.field { margin: 0 0 1.25rem }
label, legend { display: block; margin: 0 0 .25rem; padding: 0; font-weight: 600 }
.option { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400 }
.entry { display: block; width: 100%; min-height: 3rem; padding: .5rem .75rem; border: 1px solid; border-radius: .375rem; background: var(--background); color: inherit; font: inherit }
input[type=radio], input[type=checkbox] { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent) }
.trap { position: absolute; clip-path: inset(50%) }
.problem { margin: 0 0 .25rem; padding-inline-start: .625rem; border-inline-start: .25rem solid; font-weight: 600 }
footer { margin: 2.5rem 0 0 }
footer, .small { font-size: .875rem }
footer a { color: inherit }
[role=alert] { margin-bottom: 1.25rem }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
`);

/** The stylesheet of a page, in its colours. */
export const styles = ({ background, text, accent, onAccent }: Palette): string => `
:root { color-scheme: ${isLighter(text, background) ? "dark" : "light"}; --background: ${background}; --text: ${text}; --accent: ${accent}; --on-accent: ${onAccent} }
${rules}`;

/** The stylesheet of the service's own pages, light or dark as the browser is. */
export const serviceStyles = `
${serviceColors}
.mark { display: block; margin: 0 0 1.25rem; color: var(--accent) }
footer a { display: inline-block; margin-inline-end: 1.25rem }
.hint { margin: 0 0 .375rem; font-size: 1rem; line-height: 1.4; opacity: .85 }
${rules}`;
