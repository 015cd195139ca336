// Files imported as text, with { type: "text" }.

declare module "htmx.org/dist/htmx.min.js" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.js" {
  const text: string;
  export default text;
}

// Files imported as bytes, by a rule in wrangler.toml.

declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*.md" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*.png" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*.woff2" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "lucide/dist/esm/icons/*.mjs" {
  const drawing: import("lucide").IconNode;
  export default drawing;
}

/** The package's encoder without its renderers. */
declare module "qrcode/lib/core/qrcode.js" {
  interface Segment {
    readonly mode: "byte" | "alphanumeric";
    readonly data: string;
  }
  interface Options {
    readonly version: number;
    readonly errorCorrectionLevel: "L" | "M" | "Q" | "H";
  }
  const encoder: {
    create(
      segments: readonly Segment[],
      options: Options,
    ): { readonly modules: { get(row: number, column: number): 0 | 1 } };
  };
  export default encoder;
}
