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
  /** Returns the files that match a pattern as text, by path. Replaced by Vite. */
  glob(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
}
