import type { Context } from "hono";

interface MountedRoute {
  readonly method: string;
  readonly path: string;
}

/** Returns whether a path fits a route's, such as `/codes/:id`. */
function fits(path: string, pattern: string): boolean {
  const [given, wanted] = [path.split("/"), pattern.split("/")];
  return (
    given.length === wanted.length &&
    wanted.every((segment, i) => segment === given[i] || (segment.startsWith(":") && given[i] !== ""))
  );
}

/**
 * Returns the path of the page whose form posts to a path that has no page of its own: the nearest one above it.
 * Opened or reloaded after a refusal, the address then shows the form again. Undefined for any other path.
 */
export function pageOfForm(routes: readonly MountedRoute[], path: string): string | undefined {
  const ofMethod = (method: string) => routes.filter((route) => route.method === method);
  const pages = ofMethod("GET");
  const takesForms = ofMethod("POST").some(
    ({ path: pattern }) => fits(path, pattern) && !pages.some((page) => page.path === pattern),
  );
  if (!takesForms) return undefined;
  const segments = path.split("/");
  const above = segments.map((_, i) => segments.slice(0, -1 - i).join("/"));
  return above.find((each) => pages.some((page) => fits(each, page.path)));
}

/** For a page that answers a form: the browser keeps the address of the form's own page, which it can load again. */
export function keepFormAddress(c: Context, routes: readonly MountedRoute[]): void {
  if (c.req.method === "POST" && pageOfForm(routes, c.req.path) !== undefined)
    c.header("hx-push-url", "false");
}

/** For an address that only takes forms: leads to the page with the form. Undefined for any other. */
export function leadToForm(
  c: Context,
  routes: readonly MountedRoute[],
  appOrigin: string,
): Response | undefined {
  const page = c.req.method === "GET" ? pageOfForm(routes, c.req.path) : undefined;
  return page === undefined ? undefined : c.redirect(appOrigin + page, 302);
}
