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
