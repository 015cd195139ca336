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
