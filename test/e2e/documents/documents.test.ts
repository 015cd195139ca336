import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { usage as doctorUsage } from "../../../scripts/doctor/options.ts";
import { usage as domainsUsage } from "../../../scripts/domains/options.ts";
import { importRulesTable } from "../../../scripts/lib/import-rules.ts";
import { advices } from "../../../scripts/lib/installation/advice.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { usage } from "../../../scripts/setup/options.ts";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { PageInput } from "../../../src/contract/resources/pages.ts";
import { withScript } from "../../../src/lib/text/chinese.ts";
import { languages } from "../../../src/ui/visitors/texts/catalogue.ts";
import { documents, first, namesIn, page, readme } from "../support/documents/documents.ts";
import { config, rateLimit } from "../support/installation/configuration.ts";

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object }).scripts,
);
/** Returns the sources of a folder, relative to the project. Wrangler builds in folders whose names begin with a dot. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|tsx|js)$/.test(file) && !/(^|[\\/])\./.test(file))
    .map((file) => join(folder, file));

/** The whole source, to find names in. */
const source = sourcesIn("src")
  .map((file) => readFileSync(join(root, file), "utf8"))
  .join("\n");

describe("every document", () => {
  it.each(documents)("$path links to what is there", ({ path, text }) => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const broken = links
      .filter((link) => !link.startsWith("https://"))
      .filter((link) => {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : normalize(join(dirname(path), file));
        if (!existsSync(join(root, target))) return true;
        const document = documents.find((each) => each.path === target);
        return anchor !== undefined && !document?.anchors.includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it.each(documents)("$path names files, functions and npm scripts that are there", (document) => {
    const names = document.inBackticks;
    const files = names.filter((name) => /^(src|test|docs|scripts|bench|migrations)\/\S*$/.test(name));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const functions = names.flatMap((name) => /^(\w+)\(\)$/.exec(name)?.[1] ?? []);
    expect(functions.filter((name) => !new RegExp(`\\b${name}\\(`).test(source))).toEqual([]);
    const commands = document.text.matchAll(
      /\bnpm (?:run )?(?!ci\b|init\b|install\b|run\b|script)([\w:-]+[a-z])/g,
    );
    const used = [...commands].map(([, name = ""]) => name);
    expect(used.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  const pages = documents.filter(({ path }) => path.startsWith("docs/"));
  it.each(pages)(
    "$path begins with at most 150 words, and with links to its sections if it is long",
    (page) => {
      const [beginning = ""] = page.prose.split("\n## ");
      const links = /^On this page: .*$/m;
      const sentences = beginning.replace(links, "").replace(/^(?:# |\||!\[).*$|\]\([^)]*\)/gm, "");
      expect(sentences.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(150);
      expect(links.test(beginning) || page.text.split("\n").length <= 151).toBe(true);
    },
  );

  it("has at most 600 words if it is a guide", () => {
    const guides = pages.filter(({ path }) => path.startsWith("docs/guides/"));
    expect(guides).toHaveLength(4);
    expect(guides.filter(({ text }) => text.split(/\s+/).length > 600)).toEqual([]);
  });

  it("is reached from the README or its index, in one of the languages of code blocks that the tests know", () => {
    const linked = [readme, page("operating")].flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target = ""]) => join(dirname(path), target)),
    );
    expect(documents.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([readme.path]);
    const languages = new Set(documents.flatMap(({ codeBlocks }) => codeBlocks.map((b) => b.language)));
    expect([...languages].sort()).toEqual([
      "bash",
      "diff",
      "html",
      "js",
      "json",
      "mermaid",
      "python",
      "sh",
      "text",
      "toml",
      "ts",
    ]);
  });
});

describe("the comments", () => {
  const files = ["src", "test", "bench", "scripts"].flatMap(sourcesIn);
  /** The lines of comments, with the file they are in. */
  const lines = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^\s*(?:\/\*\*?|\*|\/\/) (.*)$/gm)].map(
      ([, text = ""]) => [file, text] as const,
    ),
  );

  it("say what a thing is, rather than begin with “What”", () => {
    expect(lines.filter(([, text]) => /^What\b/.test(text))).toEqual([]);
  });

  it("name files that are there", () => {
    const there = new Set(
      [...files, ...readdirSync(root), ...documents.map(({ path }) => path), "results.md"].map((file) =>
        basename(file),
      ),
    );
    const named = lines.flatMap(([file, text]) =>
      [...text.matchAll(/(?<![\w/.-])[\w/-]+\.(?:tsx?|md|toml)(?!\w)/g)].map(
        ([name]) => [file, name] as const,
      ),
    );
    expect(named.filter(([, name]) => !there.has(basename(name)))).toEqual([]);
    const paths = named.filter(([, name]) => /^(src|test|docs|scripts|bench)\//.test(name));
    expect(paths.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("README.md", () => {
  it("has at most 250 lines", () => {
    expect(readme.text.split("\n").length - 1).toBeLessThanOrEqual(250);
  });

  it("explains npm's warnings on the oldest Node that the project takes, which packages cause", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { optional?: boolean; engines?: { node?: string } }>;
    };
    const needNewer = Object.values(lock.packages)
      .filter(({ optional, engines }) => optional !== true && /^(>=|\^)\s*2[2-9]/.test(engines?.node ?? ""))
      .map(({ engines }) => engines?.node);
    expect(readme.section("Try it").includes("EBADENGINE")).toBe(needNewer.length > 0);
  });
});

it("the changelog has at most a page, 600 words, on each released version", () => {
  const [, , ...released] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  expect(released.length).toBeGreaterThan(1);
  expect(released.filter((section) => section.split(/\s+/).length > 600)).toEqual([]);
});

describe("the benchmarks", () => {
  it("state figures that were measured", () => {
    const measured = readFileSync(join(root, "bench/results.md"), "utf8");
    const rows = page("benchmarks").tableRows("Figures", "What");
    const stated = rows.flatMap(([, figures = ""]) => figures.split(", "));
    const cells = new Set(measured.split("|").map((cell) => cell.trim()));
    const units = / (µs|ms|rows\/s|scans\/s)$/;
    expect(stated.filter((figure) => !cells.has(figure) && !cells.has(figure.replace(units, "")))).toEqual(
      [],
    );
  });
});

describe("the pages for operators and developers", () => {
  it("explain every option of setup, and every error that it has advice for", () => {
    const options = [...usage.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = ""]) => option);
    const column = (heading: string) =>
      first(page("operating/install").tableRows("Install", heading)).join(" ");
    const described = column("`npm run setup -- …`");
    expect(options.filter((option) => !described.includes(option))).toEqual([]);
    const codes = advices.flatMap((advice) => advice.codes);
    expect([...column("Number").matchAll(/\d+/g)].map(Number).sort()).toEqual(codes.map(Number).sort());
  });

  it("explain every option of npm run domains", () => {
    const options = [...domainsUsage.matchAll(/^ {2}(--[a-z-]+|[a-z]+(?= {2}| HOST))/gm)].map(
      ([, each]) => each,
    );
    expect(options).toHaveLength(8);
    const rows = page("operating/zone").tableRows("Further hosts", "`npm run domains -- …`");
    const described = first(rows).join(" ");
    expect(options.filter((option) => !described.includes(`\`${option}`))).toEqual([]);
  });

  it("explain every option of the doctor, and every finding of readiness", () => {
    const watch = page("operating/watch");
    const column = (heading: string) => first(watch.tableRows("Check an installation", heading)).join(" ");
    const options = [...doctorUsage.matchAll(/^ {2}(--[a-z-]+|PREFIX)/gm)].map(([, option = ""]) => option);
    const described = column("`npm run doctor -- …`");
    expect(options.filter((option) => !described.includes(option))).toEqual([]);
    const checks = readFileSync(join(root, "src/domain/operations/checks.ts"), "utf8");
    const found = [...checks.matchAll(/^ {4}"?([a-z][a-z -]*)"?: (?:\{ |inCatalogue\()/gm)].map(
      ([, name]) => name,
    );
    expect(found.length).toBeGreaterThan(8);
    const names = namesIn(first(watch.tableRows("Readiness", "Finding")));
    expect(found.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  });

  it("explain every setting, secret, queue, abuse limit and operator endpoint", () => {
    const column = (name: string, title: string, heading: string) =>
      namesIn(first(page(`operating/${name}`).tableRows(title, heading)));
    expect(column("settings", "Settings", "Setting").sort()).toEqual(Object.keys(config.vars).sort());
    expect(column("secure", "Secrets", "Secret").sort()).toEqual(
      [...(config.secrets?.required ?? [])].sort(),
    );
    const queues = config.queues.producers ?? [];
    expect(column("watch", "Queues", "Queue").sort()).toEqual(
      queues.map((producer) => producer.queue).sort(),
    );
    const limitRows = page("operating/secure").tableRows("Abuse limits", "Limit");
    expect(limitRows.map(([name, most]) => [namesIn([name])[0], most])).toEqual(
      namesIn(first(limitRows)).map((name) => [name, String(rateLimit(name))]),
    );
    expect(limitRows).toHaveLength(config.ratelimits.length);
    const forOperators = Object.values<Endpoint>(endpoints).filter(({ auth }) => auth === "operator");
    expect(column("moderate", "Operator endpoints", "Endpoint")).toEqual(
      forOperators.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    );
  });

  it("name the languages of the service's texts", () => {
    const names = new Intl.DisplayNames("en", { type: "language" });
    const described = PageInput.shape.language.unwrap().meta()?.description ?? "";
    for (const text of [page("pages").sentences("Languages"), described]) {
      const missing = languages
        .map((language) => names.of(withScript(language)) ?? "")
        .filter((name) => !text.includes(name));
      expect(missing).toEqual([]);
    }
  });

  it("quote log messages that the code writes", () => {
    const messages = namesIn(first(page("operating/watch").tableRows("Logs and alerts", "Message")));
    expect(messages).not.toEqual([]);
    expect(messages.filter((message) => !source.includes(`"${message}"`))).toEqual([]);
  });

  it("map the code as it lies", async () => {
    const places = namesIn(first(page("developing").tableRows("Code structure", "Place")));
    const inSrc = await readdir(join(root, "src"), { withFileTypes: true });
    const entries = inSrc.map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`);
    expect(places).toEqual(expect.arrayContaining(entries));
  });

  it("list every npm script that is of use by itself", () => {
    const { text } = page("developing");
    const parts = ["format:check", "lint", "types:check", "typecheck"];
    const missing = scripts.filter((name) => !new RegExp(`\\bnpm (run )?${name}(?![\\w:])`).test(text));
    expect(missing.filter((name) => !parts.includes(name))).toEqual([]);
  });

  it("walk through the code with functions that are in the files beside them", () => {
    const walks = ["`POST /qr`, file by file", "`GET /{hash}`, file by file"];
    const rows = walks.flatMap((walk) => page("architecture").tableRows(walk, ""));
    expect(rows.length).toBeGreaterThan(20);
    const lost = rows.flatMap((row) => {
      const names = namesIn(row);
      const files = names.filter((name) => name.startsWith("src/"));
      const code = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
      const functions = names.flatMap((name) => /^(\w+)\(\)$/.exec(name)?.[1] ?? []);
      return functions.filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
    });
    expect(lost).toEqual([]);
  });

  it("show the import rules that are checked", () => {
    const { text } = page("architecture");
    const [, shown] = /<!-- import-rules:begin -->\n(.*?)<!-- import-rules:end -->/s.exec(text) ?? [];
    expect(shown?.trim()).toBe(importRulesTable());
  });
});
