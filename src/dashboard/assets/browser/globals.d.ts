/** Names that the scripts share. In the browser, they are one module. */

declare function say(text: string): void;
declare const readMapLink: typeof import("../../../lib/web/map-link.d.ts").readMapLink;

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
