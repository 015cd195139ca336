declare namespace Cloudflare {
  interface Env {
    /** The migrations, read outside the runtime by the test configuration. */
    MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}

/** A file as text. */
declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** The files of a pattern as text, by path: Vite puts them here. */
  glob(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
}
