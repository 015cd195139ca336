import { unindent } from "../../lib/text/unindent.ts";
import pasted from "../../lib/web/pasted.js" with { type: "text" };
import { StaticFiles } from "../../ui/static-files.ts";
import codeForm from "./code-form.js" with { type: "text" };
import designer from "./designer.js" with { type: "text" };
import editor from "./editor.js" with { type: "text" };

const script = (source: string) => ({ type: "text/javascript; charset=utf-8", content: unindent(source) });

/** The scripts of single pages. Browsers run each once, however often its page is opened. */
export const pageScripts = new StaticFiles({
  "code-form.js": script(`${pasted}\n${codeForm}`),
  "designer.js": script(designer),
  "editor.js": script(editor),
});

type Name = keyof Awaited<ReturnType<typeof pageScripts.paths>>;

/** Loads a script beside the one that all pages have. */
export async function PageScript({ name }: { name: Name }) {
  const paths = await pageScripts.paths("/dashboard/assets");
  return <script src={paths[name]} type="module" />;
}
