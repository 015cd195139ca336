import type { PageContent } from "../contract/resources/pages.ts";
import { isDark, type Palette, type Palettes } from "../domain/pages/palette.ts";
import { compact, formRules, rules } from "../ui/visitors/styles.ts";

/** The additional rules of each look. */
const looks: Readonly<Record<PageContent["look"], string>> = {
  plain: "",
  card: `
body { padding: 1px .75rem; background: var(--accent) }
main { margin-block: clamp(.75rem, 5vw, 3rem); background: var(--paper); border-radius: 1rem; overflow: hidden }
.header { width: calc(100% + 2.5rem); margin: -2rem -1.25rem 1.5rem; border-radius: 0 }`,
  bold: `
main { padding-top: 0 }
header { margin: 0 -1.25rem 2rem; padding: 3rem 1.25rem 1.5rem; background: var(--accent); color: var(--on-accent); box-shadow: 0 0 0 100vmax var(--accent); clip-path: inset(0 -100vmax) }
h1 { font-size: 2.25rem; font-weight: 800 }
.button { padding: 1rem 1.5rem; border-radius: 2rem }
.header { width: calc(100% + 2.5rem); margin: -3rem -1.25rem 2rem; border-radius: 0 }`,
};

/** Returns a page's stylesheet, in its look and colours. */
export function hostedPageStyles({ look, form }: PageStyle, { light, dark }: Palettes): string {
  const own = light === dark;
  const colorScheme = own ? (isDark(light) ? "dark" : "light") : "light dark";
  const inDark = own ? "" : `@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }`;
  return `
:root { color-scheme: ${colorScheme}; ${variables(light)} }
${inDark}${compact(`${rules}${form === null ? "" : formRules}${looks[look]}`)}`;
}

/** The parts of a page that its stylesheet depends on. */
export type PageStyle = Pick<PageContent, "look" | "form">;

const variables = ({ background, text, accent, onAccent }: Palette): string =>
  `--paper: ${background}; --ink: ${text}; --accent: ${accent}; --on-accent: ${onAccent}`;
