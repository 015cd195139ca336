/** The queries of pages that need one. @param tag of a code */
const queries = (tag: string): Readonly<Record<string, string>> => ({
  "/share": `?tag=${tag}`,
  "/tags/rename": `?tag=${tag}`,
  "/tags/delete": `?tag=${tag}`,
  "/go": `?q=${tag}`,
  "/codes/bulk": "?q=",
  "/print": "?q=&all=on",
  "/print/images": "?q=&all=on",
});

/**
 * Returns the address of a page of the dashboard.
 * @param route such as `/codes/:id`
 * @param idOf a value for a parameter of the route, by the segment before it, such as `codes`; `tags` for a tag in a query
 */
export function pageAddress(route: string, idOf: (segment: string) => string): string {
  const path = route
    .replace(/^\/$/, "")
    .replace(/([^/]+)\/:\w+/g, (_, segment: string) => `${segment}/${idOf(segment)}`);
  return `/dashboard${path}${queries(idOf("tags"))[route] ?? ""}`;
}
