import { groups } from "./pages.ts";

const files: ReadonlyMap<string, ArrayBuffer> = new Map(
  Object.values(groups).flatMap((pages) => Object.entries(pages)),
);

const decoded = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

/** An origin that no link names. */
const repository = "https://repository.invalid/";

/**
 * Returns a page for readers outside the repository: pictures, and links to files that aren't served, are replaced by
 * their texts. All other links work as they are, because pages are served under their paths in the repository.
 * @param path in the repository, such as `docs/operating/install.md`
 * @returns undefined if there is no such page
 */
export function markdownPage(path: string): string | undefined {
  const file = files.get(path);
  if (file === undefined) return undefined;
  return decoded(file)
    .replace(/<picture>.*?(<img\b[^>]*>).*?<\/picture>/gs, "$1")
    .replace(/<img\b[^>]*\balt="([^"]*)"[^>]*>/g, "$1")
    .replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
      const { href, pathname } = new URL(target, repository + path);
      return !href.startsWith(repository) || files.has(pathname.slice(1)) ? link : label;
    });
}

/** Returns a page's title, and the first sentence below it, without formatting. Reads only the page's beginning. */
export function describePage(file: ArrayBuffer): { title: string; about: string } {
  const [, title = "", paragraph = ""] = /^# (.*)\n\n(.*)/.exec(decoded(file.slice(0, 1024))) ?? [];
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^> |\*\*/g, "");
  return { title, about: /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain };
}
