/** Gzipped bytes of a page's HTML, at most: a page with its files has 150 KB. */
const maxBytes = 28 * 1024;

const fields = "input, select, textarea";
const withoutLabel = /^(hidden|submit|button)$/;
const headings = "h1, h2, h3, h4, h5, h6";

/** Every rule that the HTML of a page breaks, each in a line: of ids, labels, headings, pictures, scripts and weight. */
export async function brokenRules(html: string): Promise<string[]> {
  const faults: string[] = [];
  const ids = new Set<string>();
  const labelled = new Set<string>();
  const needed: { readonly tag: string; readonly id: string | null }[] = [];
  const levels: number[] = [];
  let openLabels = 0;
  const rewriter = new HTMLRewriter()
    .on("[id]", {
      element(element) {
        const id = element.getAttribute("id") ?? "";
        if (ids.has(id)) faults.push(`the id ${id} stands twice`);
        ids.add(id);
      },
    })
    .on("label", {
      element(element) {
        labelled.add(element.getAttribute("for") ?? "");
        openLabels += 1;
        element.onEndTag(() => {
          openLabels -= 1;
        });
      },
    })
    .on(fields, {
      element(element) {
        const isNamed = element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby");
        const needsNone = withoutLabel.test(element.getAttribute("type") ?? "");
        if (isNamed || needsNone || openLabels > 0) return;
        needed.push({ tag: nameOf(element), id: element.getAttribute("id") });
      },
    })
    .on(headings, {
      element({ tagName }) {
        levels.push(Number(tagName.slice(1)));
      },
    })
    .on("img:not([width]), img:not([height])", {
      element: (element) => void faults.push(`a picture without a size: ${nameOf(element)}`),
    })
    .on("img:not([alt])", {
      element: (element) => void faults.push(`a picture without a text: ${nameOf(element)}`),
    })
    .on("style, script:not([src])", {
      element: (element) => void faults.push(`inline: ${nameOf(element)}`),
    })
    // Reading all attributes takes long, so only where one of these may stand.
    .on(/[\s"'/](on\w+|style|hx-on[^\s=]*)\s*=|javascript:/i.test(html) ? "*" : "none", {
      element(element) {
        for (const [name = "", value = ""] of element.attributes) {
          const isCode = /^(on\w+|style|hx-on.*)$/.test(name) || /^\s*javascript:/i.test(value);
          if (isCode) faults.push(`inline: ${nameOf(element)} ${name}`);
        }
      },
    });
  await rewriter.transform(new Response(html)).text();
  for (const { tag, id } of needed) {
    if (id === null || !labelled.has(id)) faults.push(`a field without a label: ${tag}`);
  }
  if (levels.filter((level) => level === 1).length !== 1) faults.push(`the headings are ${levels.join()}`);
  levels.forEach((level, i) => {
    const before = levels[i - 1] ?? level;
    if (level > before + 1) faults.push(`a heading of level ${level} follows one of ${before}`);
  });
  faults.push(...withoutDirection(html));
  const bytes = await gzippedBytes(html);
  if (bytes > maxBytes) faults.push(`${bytes} bytes`);
  return faults;
}

/** Of a text whose first letter is from right to left. */
const rightToLeft = /^[^a-z\u0590-\u08ff]*[\u0590-\u08ff]/i;
const emptyElements = /^(area|base|br|col|hr|img|input|link|meta|wbr)$/;
/** Browsers take the direction of these from their text, or don't lay them out. */
const ofOwnDirection = /^(bdi|option|title)$/;

/** The texts that begin from right to left, and the fields with one, whose direction isn't taken from the text. */
function withoutDirection(html: string): string[] {
  if (!/[\u0590-\u08ff]/.test(html)) return [];
  const faults: string[] = [];
  const open: { readonly tag: string; readonly isDirected: boolean }[] = [];
  for (const [, end, tag = "", attributes = "", text = ""] of html.matchAll(
    /<(\/?)([a-z][\w-]*)([^>]*)>|([^<]+)/gi,
  )) {
    if (tag === "") {
      if (rightToLeft.test(text.replace(/&\w+;/g, "")) && !open.some(({ isDirected }) => isDirected)) {
        faults.push(`no direction: ${open.map((each) => each.tag).join(" ")}: ${text.trim()}`);
      }
    } else if (end === "/") open.pop();
    else {
      const isDirected = attributes.includes('dir="auto"') || ofOwnDirection.test(tag);
      const value = tag === "input" && /type="(text|search)"/.test(attributes) ? attributes : "";
      if (!isDirected && rightToLeft.test(/ value="([^"]*)"/.exec(value)?.[1] ?? "")) {
        faults.push(`no direction: ${open.map((each) => each.tag).join(" ")} ${tag}${attributes}`);
      }
      if (!emptyElements.test(tag) && !attributes.endsWith("/")) open.push({ tag, isDirected });
    }
  }
  return faults;
}

const nameOf = (element: Element): string =>
  `${element.tagName} ${element.getAttribute("name") ?? element.getAttribute("src") ?? element.getAttribute("id") ?? ""}`;

/** Returns how many bytes a text has when it is sent. */
export async function gzippedBytes(text: string): Promise<number> {
  const stream = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
