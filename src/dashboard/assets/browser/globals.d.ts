/** Names that the scripts share. Those of all pages are one module in the browser; a page's own script is another. */

declare function say(text: string): void;
declare const readMapLink: typeof import("../../../lib/web/pasted.d.ts").readMapLink;
declare const readPasted: typeof import("../../../lib/web/pasted.d.ts").readPasted;

/** The part of htmx that the scripts use. */
declare const htmx: {
  ajax(
    verb: "POST",
    path: string,
    context: {
      readonly target: Element;
      readonly swap: "outerHTML";
      readonly select: string;
      readonly values: Readonly<Record<string, string | readonly string[]>>;
    },
  ): Promise<void>;
  /** Prepares elements that a script has added. */
  process(element: Element): void;
};
