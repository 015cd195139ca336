import { baseRules, serviceColors } from "../../lib/web/service-style.ts";

/** Removes spaces that only readers of the CSS need. */
export const compact = (css: string): string => css.replace(/\s*([{};,\n])\s*/g, "$1").replaceAll(": ", ":");

/** The rules of all pages. */
export const rules = `${baseRules}
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
p { white-space: pre-line }
.words { word-break: keep-all }
img { display: block; width: 100%; height: auto; margin: 0 0 1rem; border-radius: .5rem }
.button { display: block; width: 100%; margin: 0 0 1rem }
footer { margin: 2.5rem 0 0; font-size: .875rem }
footer a { color: inherit; display: inline-block; padding: .75rem 0 }`;

export const formRules = `
form { margin: 2rem 0 0 }
fieldset { margin: 0; padding: 0; border: 0 }
.field { margin: 0 0 1.25rem }
label, legend { display: block; margin: 0 0 .25rem; padding: 0; font-weight: 600 }
.option { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400 }
.entry { display: block; width: 100%; min-height: 3rem; padding: .5rem .75rem; border: 1px solid; border-radius: .375rem; background: var(--paper); color: inherit; font: inherit }
input[type=radio], input[type=checkbox] { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent) }
.trap { position: absolute; clip-path: inset(50%) }
.problem { margin: 0 0 .25rem; padding-inline-start: .625rem; border-inline-start: .25rem solid; font-weight: 600 }
.small { font-size: .875rem }
[role=alert] { margin-bottom: 1.25rem }`;

/** The stylesheet of the service's own pages, light or dark depending on the browser. */
export const serviceStyles = compact(`
${serviceColors}
${rules}${formRules}
.mark { display: block; margin: 0 0 1.25rem; color: var(--accent) }
footer a { margin-inline-end: 1.25rem }
.hint { margin: 0 0 .375rem; font-size: 1rem; line-height: 1.4; color: var(--quiet) }`);
