import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/wrangler.ts";
import { page, readme } from "../support/documents/documents.ts";

const promise = page("promise");

/** The tables' rows: a promise, and the link to the test that shows it. */
const rows = [...promise.text.matchAll(/^\| (.*) \| (.*) \|$/gm)]
  .map(([, text = "", shownBy = ""]) => ({ text, shownBy }))
  .filter(({ text }) => text !== "Promise");

describe("the promise", () => {
  it("has a test for each of its sentences in a table", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(({ shownBy }) => shownBy)).toEqual(
      rows.map(() => expect.stringMatching(/^\[[^\]]+\]\(\.\.\/test\/[\w/-]+\.test\.ts\)$/)),
    );
  });

  it.each(rows)("names a test that is there: $shownBy", ({ shownBy }) => {
    const [, title = "", path = ""] = /^\[(.*)\]\((.*)\)$/.exec(shownBy) ?? [];
    const source = readFileSync(join(root, normalize(join("docs", path))), "utf8");
    // As the title of a test or a group, or as that of a case in a table of them.
    const inQuotes = JSON.stringify(title).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expect(source).toMatch(new RegExp(`(?:\\b(?:it|describe)\\(|\\)\\(|\\[)\\s*${inQuotes},`));
  });

  it("says what can't be promised, and is linked on the README's first screen", () => {
    expect(promise.section("What can't be promised").match(/^- \*\*/gm)?.length).toBeGreaterThan(5);
    const [firstScreen, rest] = readme.text.split("\n## Try it\n");
    expect(rest).toBeDefined();
    expect(firstScreen).toContain("(docs/promise.md)");
  });
});
