/**
 * Adds query parameters to a URL, before its fragment. Parameters that it already has are kept, and so is the rest of
 * its text.
 * @param url an absolute URL; @param parameters values by name
 */
export const addParameters = (url: string, parameters: Readonly<Record<string, string>>): string =>
  extendQuery(url, (query) => {
    const present = new URLSearchParams(query);
    const missing = Object.entries(parameters).filter(([name]) => !present.has(name));
    return new URLSearchParams(missing).toString();
  });

/**
 * Appends to the query of a URL, before its fragment.
 * @param added returns the text to append to the query, which is given without its `?`; empty to leave the URL as it is
 */
export function extendQuery(url: string, added: (query: string) => string): string {
  const fragmentAt = url.indexOf("#");
  const [base, fragment] = fragmentAt === -1 ? [url, ""] : [url.slice(0, fragmentAt), url.slice(fragmentAt)];
  const queryAt = base.indexOf("?");
  const more = added(queryAt === -1 ? "" : base.slice(queryAt + 1));
  if (more === "") return url;
  const joint = queryAt === -1 ? "?" : /[?&]$/.test(base) ? "" : "&";
  return `${base}${joint}${more}${fragment}`;
}
