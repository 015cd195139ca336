declare module "subset-font" {
  /** Keeps the glyphs of a text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { readonly targetFormat: "woff2" | "sfnt" },
  ): Promise<Uint8Array>;
}
