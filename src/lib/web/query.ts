/**
 * Adds query parameters to a URL, before its fragment. Parameters that it already has are kept, and so is the rest of
 * its text.
 * @param url an absolute URL; @param parameters values by name
 */
export function addParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const fragmentAt = url.indexOf("#");
  const [base, fragment] = fragmentAt === -1 ? [url, ""] : [url.slice(0, fragmentAt), url.slice(fragmentAt)];
  const queryAt = base.indexOf("?");
  const present = new URLSearchParams(queryAt === -1 ? "" : base.slice(queryAt));
  const missing = Object.entries(parameters).filter(([name]) => !present.has(name));
  if (missing.length === 0) return url;
  const joint = queryAt === -1 ? "?" : /[?&]$/.test(base) ? "" : "&";
  return `${base}${joint}${new URLSearchParams(missing)}${fragment}`;
}
