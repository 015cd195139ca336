import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/errors.ts";
import { Service } from "../support/service.ts";

const scanOrigin = "https://qr.example";
const appOrigin = "https://app.example";
const base = `${appOrigin}/api/v1/`;
const service = new Service({ settings: { scanOrigin, appOrigin } });

/** The files of the repository, by path: those that have to be served, and no other. */
const files: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob("/{README,docs/**/*}.md", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([path, text]) => [path.slice(1), text]),
);

const get = (url: string, init?: RequestInit<IncomingRequestCfProperties>) => service.fetch(url, init);
const textOf = async (path: string) => (await get(base + path)).text();

/** The targets of the links and pictures of a page that lead to other addresses. */
const targets = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? "")
    .filter((target) => !target.startsWith("#"));

const llms = await (await get(`${appOrigin}/llms.txt`)).text();
const listed = [...llms.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].map(
  ([, title = "", url = "", about = ""]) => ({ title, url, about }),
);

/** The answers to the links of llms.txt, requested one after the other. */
const linked = new Map<string, { status: number; text: string }>();
for (const { url } of listed) {
  const response = await get(url);
  linked.set(url, { status: response.status, text: await response.text() });
}

describe("the pages as Markdown", () => {
  it.each(Object.entries(files))("%s has the file's text, without what isn't served", async (path, file) => {
    const response = await get(base + path);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        "content-type": "text/markdown; charset=utf-8",
        "cache-control": "public, max-age=300",
        "x-content-type-options": "nosniff",
      },
    ]);
    const text = await response.text();
    /** The words of the prose and code: they stay. */
    const words = (markdown: string) =>
      markdown
        .replace(/<\/?(?:picture|source)\b[^>]*>/g, "")
        .replace(/<img [^>]*alt="(.*?)".*?>/g, "$1")
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .split(/\s+/);
    expect(words(text)).toEqual(words(file));
  });

  it("have only links that lead somewhere", async () => {
    const dead: string[] = [];
    let internal = 0;
    for (const path of Object.keys(files)) {
      for (const target of targets(await textOf(path))) {
        const { origin, href, hash } = new URL(target, base + path);
        if (origin !== appOrigin) continue;
        internal += 1;
        const served = href.slice(base.length, href.length - hash.length);
        if (!href.startsWith(base) || files[served] === undefined) dead.push(`${path}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
    expect(internal).toBeGreaterThan(100);
  });

  it("link to each other as in the repository", async () => {
    const from = (path: string, text: string) =>
      targets(text).filter(
        (target) => files[new URL(target, `http://x/${path}`).pathname.slice(1)] !== undefined,
      );
    for (const [path, file] of Object.entries(files)) {
      expect([path, from(path, await textOf(path))]).toEqual([path, from(path, file)]);
    }
  });

  it("answer HEAD, and 304 to who has the page", async () => {
    for (const path of ["README.md", "docs/api.md", "docs/operating/install.md"]) {
      const head = await get(base + path, { method: "HEAD" });
      const tag = head.headers.get("etag") ?? "";
      expect([head.status, await head.text(), tag]).toEqual([200, "", expect.stringMatching(/^"\w+"$/)]);
      const again = await get(base + path, { headers: { "if-none-match": tag } });
      expect([again.status, again.headers.get("cache-control")]).toEqual([304, "public, max-age=300"]);
    }
  });

  it.each([
    "docs/none.md",
    "docs/operating/none.md",
    "docs/docs/api.md",
    "docs/CHANGELOG.md",
    "docs/constructor.md",
  ])("%s isn't one", async (path) => {
    const response = await get(base + path);
    expect([response.status, ErrorBody.parse(await response.json())]).toMatchObject([
      404,
      { code: "not_found" },
    ]);
  });

  it("accept no other method", async () => {
    expect((await get(`${base}docs/api.md`, { method: "POST" })).status).toBe(401);
  });
});

describe("llms.txt", () => {
  it("begins with a title and a summary, then has sections of links, as llmstxt.org describes", async () => {
    const [title, summary] = llms.split("\n\n");
    expect(title).toMatch(/^# \S/);
    expect(summary).toMatch(/^> .*https:\/\/app\.example\..*https:\/\/qr\.example\//);
    expect(llms.match(/^## .*$/gm)).toEqual([
      "## API",
      "## First steps",
      "## Using it",
      "## Operating",
      "## Developing",
    ]);
    const sections = llms.split(/^## .*$/m).slice(1);
    expect(
      sections.flatMap((section) =>
        section
          .trim()
          .split("\n")
          .filter((line) => line !== ""),
      ),
    ).toHaveLength(listed.length);
  });

  it("lists every page once, with its title and a sentence", () => {
    const pages = listed.map(({ url }) => url.slice(base.length)).filter((path) => path.endsWith(".md"));
    expect(pages.toSorted()).toEqual(Object.keys(files).toSorted());
    for (const { title, url, about } of listed.filter(({ url }) => url.endsWith(".md"))) {
      expect(files[url.slice(base.length)]).toContain(`# ${title}\n`);
      expect(about).toMatch(/^[^[\]]{20,200}[.]$/);
    }
  });

  it("has only links that lead somewhere", () => {
    expect(listed.length).toBe(Object.keys(files).length + 2);
    for (const [url, { status }] of linked) expect([url, status]).toEqual([url, 200]);
  });

  it("is plain text, the same for everyone", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await get(`${appOrigin}/llms.txt`, { method });
      expect([status, Object.fromEntries(headers)]).toMatchObject([
        200,
        {
          "content-type": expect.stringMatching(/^text\/plain; charset=utf-8$/i),
          "cache-control": "public, max-age=300",
        },
      ]);
    }
    expect((await get(`${appOrigin}/llms.txt`, { method: "POST" })).status).toBe(404);
  });

  it("names endpoints that are there", () => {
    const { paths } = JSON.parse(linked.get(`${base}openapi.json`)?.text ?? "") as {
      paths: Record<string, object>;
    };
    const named = [...llms.matchAll(/`(GET|POST|PUT) (\/[^`?]*)`/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, method = "", path = ""] of named) {
      expect([path, Object.keys(paths[path] ?? {})]).toEqual([
        path,
        expect.arrayContaining([method.toLowerCase()]),
      ]);
    }
  });

  it("is at the host of the app, and on every host if there is only one", async () => {
    const elsewhere = await get(`${scanOrigin}/llms.txt`);
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      404,
      expect.stringContaining("no code at this address"),
    ]);
    const one = new Service({ settings: { scanOrigin } });
    const text = await (await one.fetch(`${scanOrigin}/llms.txt`)).text();
    expect(text).toBe(llms.replaceAll(appOrigin, scanOrigin));
  });
});
