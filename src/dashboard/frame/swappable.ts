import type { Context } from "hono";

/**
 * Marks an answer as HTML of the dashboard itself, which scripts may put into the current page. They put nothing else into
 * it: a file or somebody's text could have attributes that htmx acts on in the name of whoever looks at the page.
 */
export function swappable<C extends Context>(c: C): C {
  c.header("x-swappable", "true");
  return c;
}
