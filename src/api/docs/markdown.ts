import { groups } from "./pages.ts";

const texts: ReadonlyMap<string, string> = new Map(
  Object.values(groups).flatMap((pages) => Object.entries(pages)),
);

/**
 * Returns a page for readers outside the repository: pictures, and links to files that aren't served, are replaced by
 * their texts. All other links work as they are, because pages are served under their paths in the repository.
 * @param path in the repository, such as `docs/operating/install.md`
 * @returns undefined if there is no such page
 */
export function markdownPage(path: string): string | undefined {
  return texts
    .get(path)
    ?.replace(/<picture>.*?(<img\b[^>]*>).*?<\/picture>/gs, "$1")
    .replace(/<img\b[^>]*\balt="([^"]*)"[^>]*>/g, "$1")
    .replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
      const base = "https://repository.invalid/";
      const { href, pathname } = new URL(target, base + path);
      return !href.startsWith(base) || texts.has(pathname.slice(1)) ? link : label;
    });
}

/** Returns a page's title, and the first sentence below it, without formatting. */
export function describePage(text: string): { title: string; about: string } {
  const [, title = "", paragraph = ""] = /^# (.*)\n\n(.*)/.exec(text) ?? [];
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^> |\*\*/g, "");
  return { title, about: /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain };
}
