import { beforeEach, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { BulkPreview } from "../../../src/contract/resources/codes/bulk-update.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { exportedColumns } from "../../../src/contract/resources/codes/qr-fields.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { Reverted } from "../../../src/contract/resources/history/revert.ts";
import { csvRow, readTable, undefused } from "../../../src/lib/text/csv.ts";
import { BulkHarness, insertCodes } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, emittedEvents, origin } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;

beforeEach(async () => {
  const { workspaceId } = await harness.service.workspace();
  client = await harness.service.client(workspaceId, ["qr:write", "history:read"]);
});

type Row = Record<string, string>;

const csvOf = (rows: readonly Row[]): string => {
  const columns = Object.keys(rows[0] ?? {});
  return csvRow(columns) + rows.map((row) => csvRow(columns.map((column) => row[column] ?? ""))).join("");
};

/** The rows of an export, each by the names of its columns. */
async function exported(filter = ""): Promise<Row[]> {
  const answer = await client.send("GET", `/qr/export?${filter}`);
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const [header = [], ...rows] = readTable(bytes, { maxColumns: 50, maxRecords: 20_000 });
  expect(header).toEqual(exportedColumns);
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, undefused(cells[i] ?? "")])));
}

const send = (csv: string, query = "") =>
  client.send("POST", `/qr/bulk-update/csv${query}`, csv, { "content-type": "text/csv" });
async function change(rows: readonly Row[], query = ""): Promise<BulkJobWithItems> {
  return harness.run(client, await send(csvOf(rows), query));
}
const preview = async (rows: readonly Row[], query = "?dryRun=true") => {
  const answer = await send(csvOf(rows), query);
  return BulkPreview.parse(await answer.json());
};
const items = async (list: object[], more: object = {}) =>
  harness.run(client, await harness.update(client, { items: list, ...more }));
const read = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);
const url = (address: string) => ({ type: "url", url: address }) as const;

/** Codes of every type, whose fields are as hard to write as they may be. */
async function hardCodes(): Promise<Qr[]> {
  const session = await harness.service.sessionIn(client.workspaceId);
  const folder = (await (await client.send("POST", "/folders", { name: "Menus" })).json()) as { id: string };
  const template = (await (
    await session.send("POST", "/developer/templates", { name: "Red", colorConfig: { dotsColor: "#800000" } })
  ).json()) as { id: string };
  return Promise.all([
    client.createQr({ name: "=1+1", externalId: "=A1", tags: ["=x", "a;=b", "'=c"] }),
    client.createQr({ name: "'=1+1", tags: ["a|b", "c"] }),
    client.createQr({ name: "''=1+1", tags: ['["a"]', "Berlin, Mitte"] }),
    client.createQr({ name: " spaces ", tags: ["[x"] }),
    client.createQr({ name: "-5", externalId: "00123" }),
    client.createQr({ name: "'-5", externalId: "+49 30" }),
    client.createQr({ name: 'a "quoted", name; with\u00a0all', data: url("https://e.example/a,b;c'd") }),
    client.createQr({ name: "＝full", folderId: folder.id, templateId: template.id }),
    client.createQr({ templateId: template.id, colorConfig: { dotsColor: "#000080" }, shape: "circle" }),
    client.createQr({
      ...{
        name: "Later",
        status: "paused",
        startsAt: "2090-01-01T00:00:00Z",
        expiresAt: "2091-01-01T00:00:00Z",
      },
      ...{ fallbackUrl: "https://e.example/over", utm: { source: "=a", term: "b" } },
    }),
    client.createQr({ qrType: "email", data: { type: "email", to: "a@e.example", subject: "=Hello" } }),
    client.createQr({
      qrType: "applink",
      data: { type: "applink", ios: "https://apps.example/1", fallback: "https://e.example/app" },
      utm: { campaign: "c" },
    }),
  ]);
}

describe("an export", () => {
  it("has every code of a filter, with every field that a table can have, as CSV and NDJSON", async () => {
    const codes = await hardCodes();
    const rows = await exported();
    expect(rows.map(({ id }) => id).toSorted()).toEqual(codes.map(({ id }) => id).toSorted());
    const later = rows.find(({ name }) => name === "Later");
    expect(later).toMatchObject({
      ...{ status: "paused", url: "https://example.com/", utmSource: "=a", utmTerm: "b", data: "" },
      ...{ startsAt: "2090-01-01T00:00:00.000Z", fallbackUrl: "https://e.example/over" },
    });
    const app = rows.find(({ qrType }) => qrType === "applink");
    expect([app?.url, JSON.parse(app?.data ?? "")]).toMatchObject([
      "",
      { fallback: "https://e.example/app" },
    ]);
    expect((await exported("externalId=00123")).map(({ name }) => name)).toEqual(["-5"]);
    expect(await exported("status=paused&qrType=email")).toEqual([]);
    const lines = await client.send("GET", "/qr/export?format=ndjson&qrType=url");
    expect(lines.headers.get("content-type")).toContain("application/x-ndjson");
    const parsed = (await lines.text())
      .trim()
      .split("\n")
      .map((line) => Qr.parse(JSON.parse(line)));
    expect(parsed.map(({ id }) => id).toSorted()).toEqual(
      codes
        .filter(({ qrType }) => qrType === "url")
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(parsed).toEqual(expect.arrayContaining([await read(parsed[0]?.id ?? "")]));
  });

  it("that is sent back changes nothing, by any of its columns that name a code", async () => {
    await hardCodes();
    const before = await exported();
    const updates = () => emittedEvents().filter(({ kind }) => kind === "qr.updated").length;
    const events = updates();
    for (const naming of ["id", "scanUrl", "hash"]) {
      const rows = before.map((row) => {
        const others = ["id", "scanUrl", "hash"].filter((column) => column !== naming);
        return Object.fromEntries(Object.entries(row).filter(([column]) => !others.includes(column)));
      });
      const job = await change(rows);
      expect(job.items.map(({ error }) => error)).toEqual(before.map(() => null));
      expect(job.items.map(({ changed }) => changed)).toEqual(before.map(() => false));
    }
    expect(await exported()).toEqual(before);
    expect(updates()).toBe(events);
    const lines = (await (await client.send("GET", "/qr/export?format=ndjson")).text()).trim().split("\n");
    const job = await items(lines.map((line) => JSON.parse(line)));
    expect(job.items.map(({ changed, error }) => [changed, error])).toEqual(lines.map(() => [false, null]));
  });

  it("keeps a tag with a comma, also in a file that has it without brackets", async () => {
    for (let i = 0; i < 10; i += 1) await client.createQr({ name: `${i}`, tags: ["Berlin, Mitte"] });
    const before = await exported();
    expect(before.map(({ tags }) => tags)).toEqual(before.map(() => '["Berlin, Mitte"]'));
    const plain = before.map((row): Row => ({ ...row, tags: "Berlin, Mitte" }));
    for (const rows of [before, plain]) {
      expect((await preview(rows)).rows).toMatchObject({ changed: 0, unchanged: 10, failed: 0 });
      const job = await change(rows);
      expect(job.items.map(({ changed, error }) => [changed, error])).toEqual(
        before.map(() => [false, null]),
      );
    }
    const [first] = before;
    await change([{ ...first, tags: "Berlin, Mitte, x" }]);
    expect((await read(first?.id ?? "")).tags).toEqual(["Berlin", "Mitte", "x"]);
    const made = await harness.run(client, await harness.csv(client, 'url,tags\ne.example,"menu, print"\n'));
    expect((await read(made.items[0]?.createdQrId ?? "")).tags).toEqual(["menu", "print"]);
  });

  it("round trip: edited, sent, undone, it equals the first but for its times", async () => {
    await hardCodes();
    await insertCodes(client, 20);
    const before = await exported();
    const edited = before.map(
      (row, i): Row => ({
        ...row,
        name: `${row.name}!`,
        ...(row.qrType === "url" && { url: `https://new.example/${i}` }),
        tags: i % 2 === 0 ? "" : (row.tags ?? ""),
      }),
    );
    const seen = await preview(edited);
    expect(seen.rows).toMatchObject({ changed: before.length, unchanged: 0, failed: 0 });
    expect(seen.rows?.cleared).toContainEqual(expect.stringMatching(/^Removes the tags of \d codes?\.$/));
    expect(await exported()).toEqual(before);

    const job = await change(edited);
    expect(job.items.filter(({ error }) => error !== null)).toEqual([]);
    const after = await exported();
    const withoutTimes = (rows: Row[]) => rows.map(({ updatedAt: _, ...row }) => row);
    expect(withoutTimes(after)).toEqual(
      edited.map(({ updatedAt: _, ...row }) => ({ ...row, name: row.name?.slice(0, 200) })),
    );
    const times = new Map(job.items.map(({ qrId, updatedAt }) => [qrId, updatedAt]));
    expect(after.map(({ updatedAt }) => updatedAt)).toEqual(after.map(({ id = "" }) => times.get(id)));
    const first = after.find(({ qrType, status }) => qrType === "url" && status === "active");
    const scan = await harness.service.scan(first?.hash ?? "");
    expect(scan.headers.get("location")).toContain("https://new.example/");
    // The same file again finds what it asks for, so it changes nothing, whatever its times.
    expect((await change(edited)).items.map(({ changed }) => changed)).toEqual(before.map(() => false));

    const { items: told } = await client.expect(200, HistoryList, "GET", "/developer/history?kind=job");
    const entry = told.find(({ object }) => object.id === job.jobId);
    const undone = await client.expect(200, Reverted, "POST", `/developer/history/${entry?.id}/revert`);
    await harness.drain();
    const undoing = await harness.read(client, undone.job?.jobId ?? "");
    expect(undoing.items.filter(({ error }) => error !== null)).toEqual([]);
    expect(withoutTimes(await exported())).toEqual(withoutTimes(before));
  });
});

describe("a table", () => {
  it("changes what its columns say, clears by an empty cell, and leaves out what has no column", async () => {
    const qr = await client.createQr({
      ...{ name: "Menu", tags: ["a"], fallbackUrl: "https://e.example/", externalId: "M" },
      ...{
        colorConfig: { dotsColor: "#000080", backgroundColor: "#ffffee" },
        utm: { source: "s", medium: "m" },
      },
    });
    await change([
      { id: qr.id, tags: "b|c", fallbackUrl: "", dotsColor: "", utmSource: "t", externalId: "" },
    ]);
    expect(await read(qr.id)).toMatchObject({
      ...{ name: "Menu", tags: ["b", "c"], fallbackUrl: null, externalId: null },
      ...{ colorConfig: { backgroundColor: "#ffffee" }, utm: { source: "t", medium: "m" } },
    });
    expect((await read(qr.id)).colorConfig).not.toHaveProperty("dotsColor");
    await change([
      { scanUrl: `http://${new URL(origin).host.toUpperCase()}/${qr.hash}/?a=b`, NAME: "Lunch" },
    ]);
    expect((await read(qr.id)).name).toBe("Lunch");
  });

  it("names a code by its own id only where nothing else does", async () => {
    const [a, b] = [await client.createQr({ externalId: "A" }), await client.createQr({ externalId: "B" })];
    const byOwnId = await change([{ externalId: "A", name: "First" }]);
    expect(byOwnId.items).toMatchObject([{ qrId: a.id, status: "succeeded" }]);
    const renamed = await change([{ hash: b.hash, externalId: "C", name: "Second" }]);
    expect(renamed.items).toMatchObject([{ qrId: b.id, status: "succeeded" }]);
    expect(await read(b.id)).toMatchObject({ externalId: "C", name: "Second" });
    const taken = await change([{ hash: b.hash, externalId: "A" }]);
    expect(taken.items[0]?.error).toContain(a.id);
  });

  it("fails rows alone, with the line and the column that is wrong, and keeps their cells", async () => {
    const [a, b] = [await client.createQr({ name: "A" }), await client.createQr({ name: "B" })];
    const mail = await client.createQr({ qrType: "email", data: { type: "email", to: "a@e.example" } });
    const foreign = await (await harness.service.workspace()).createQr();
    const deleted = await client.createQr();
    await client.send("DELETE", `/qr/${deleted.id}`);
    const row = (more: Row): Row => ({
      ...{ id: "", hash: "", scanUrl: "", url: "https://e.example/x", status: "active", data: "" },
      ...{ qrType: "url", updatedAt: "", ...more },
    });
    const wrong: [Row, string][] = [
      [row({}), "names no code"],
      [row({ id: foreign.id }), "id finds no QR code"],
      [row({ id: deleted.id }), "id finds no QR code"],
      [row({ id: "nonsense" }), "id finds no QR code"],
      [row({ id: a.id, hash: b.hash }), "names two"],
      [row({ scanUrl: "https://elsewhere.example/menu" }), "scanUrl isn't a short link"],
      [row({ hash: "not a name" }), "hash isn't a short name"],
      [row({ id: a.id, url: "" }), "url can't be empty"],
      [row({ id: b.id, status: "" }), "status can't be empty"],
      [row({ id: b.id, status: "on" }), "status"],
      [row({ id: b.id, url: "ftp://x" }), "url must be an http or https address"],
      [row({ id: mail.id, qrType: "email" }), "url can't be set, since the code isn't a link"],
      [row({ hash: b.hash, url: "", data: "{" }), "data isn't a JSON object"],
      [row({ hash: b.hash, data: "{}" }), "data can't be given beside url"],
      [row({ hash: b.hash, updatedAt: "yesterday" }), "updatedAt isn't a time"],
    ];
    const rows = [...wrong.map(([each]) => each), row({ hash: a.hash, name: "Fine" })];
    const seen = await preview(rows);
    const job = await change(rows);
    // The dry run says the same, with the column.
    expect(seen.rows?.errors.map(({ line, error }) => `line ${line}: ${error}`)).toEqual(
      job.items.map(({ error }) => error),
    );
    for (const { rowIndex, line, column, error } of seen.rows?.errors ?? []) {
      expect(line).toBe(rowIndex + 2);
      expect(error.startsWith(column ?? "The row ") || column === null).toBe(true);
    }
    expect(seen.rows?.errors.filter(({ column }) => column === null)).toHaveLength(2);
    for (const [i, [, problem]] of wrong.entries()) {
      expect(job.items[i]?.error).toContain(problem);
      expect(job.items[i]?.error).toMatch(/^line \d+: /);
    }
    expect(job.items.at(-1)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("earlier row"),
    });
    const { failureCount } = job;
    expect(failureCount).toBe(wrong.length + 1);
  });

  it("says which column finds nothing, and what a spreadsheet may have made of it", async () => {
    await client.createQr({ externalId: "00123" });
    const wrong: [column: string, cell: string, problem: string][] = [
      ["hash", "1.23E+16", "hash isn't a short name. It may have been read as a number"],
      ["hash", "1,20E+05", "hash isn't a short name. It may have been read as a number"],
      ["hash", "01.03.2026", "hash isn't a short name. It may have been read as a date"],
      ["hash", "123", "hash isn't a short name. It may have lost zeros"],
      ["hash", "12345", "hash finds no QR code. It may have lost zeros"],
      ["hash", "#NAME?", "hash isn't a short name. It is an error"],
      ["hash", "menu-99", "hash finds no QR code. It was deleted"],
      ["externalId", "123", "externalId finds no QR code. It may have lost zeros"],
      ["externalId", "1.00E+05", "externalId finds no QR code. It may have been read as a number"],
      ["externalId", "12345678901234500000", "externalId finds no QR code. It may have been rounded"],
      ["externalId", "Mrz 26", "externalId finds no QR code. It may have been read as a date"],
      ["externalId", "SKU 12", "externalId finds no QR code. It was deleted"],
      ["id", "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71", "id finds no QR code. It was deleted"],
      ["scanUrl", `${origin}/menu-98`, "scanUrl finds no QR code. It was deleted"],
    ];
    const rows = wrong.map(
      ([column, cell]): Row => ({ id: "", hash: "", scanUrl: "", externalId: "", name: "A", [column]: cell }),
    );
    const { errors } = (await preview(rows)).rows ?? { errors: [] };
    expect(errors).toEqual(
      wrong.map(([column, , problem], i) => ({
        ...{ rowIndex: i, line: i + 2, column, error: expect.stringContaining(problem) },
      })),
    );
    const json = await harness.update(client, { items: [{ hash: "12345", name: "A" }], dryRun: true });
    expect(BulkPreview.parse(await json.json()).rows?.errors).toMatchObject([
      { rowIndex: 0, line: null, column: "hash" },
    ]);
    const many = Array.from({ length: 120 }, (_, i): Row => ({ hash: `none-${i}`, name: "A" }));
    const first = (await preview(many)).rows;
    expect([first?.failed, first?.errors.length, first?.errors.at(-1)?.line]).toEqual([120, 100, 101]);
  });

  it("without a column that names codes, or with an unknown one, is refused as a whole", async () => {
    for (const [csv, problem] of [
      ["name,url\nA,e.example\n", "no column that names the codes"],
      ["id,nonsense\n1,2\n", "unknown column nonsense"],
      ["id,ID\n1,2\n", "the column id twice"],
      ["id\n", "no rows"],
      ["", "is empty"],
    ] as const) {
      expect(await expectError(await send(csv), 400, "invalid_input")).toContain(problem);
    }
  });

  it("can have as many rows as a bulk update names ids, and not more", async () => {
    const rows = Array.from({ length: 10_001 }, (_, i) => ({ hash: `menu-${i}`, name: "A" }));
    expect(await expectError(await send(csvOf(rows)), 400, "invalid_input")).toContain("10000 rows");
    const many = await harness.update(client, { items: rows });
    expect(await expectError(many, 400, "invalid_input")).toContain("10000 entries");
  });
});

describe("a code that has changed since the export", () => {
  it("is left out, unless the row asks for nothing new or the change is forced", async () => {
    const [changed, same, other] = [
      await client.createQr(),
      await client.createQr(),
      await client.createQr(),
    ];
    const file = await exported();
    harness.clock.advance(1000);
    await client.send("PATCH", `/qr/${changed.id}`, { name: "Colleague" });
    await client.send("PATCH", `/qr/${same.id}`, { name: "Mine" });
    harness.clock.advance(1000);
    const mine = file.map((row) => ({ ...row, name: "Mine" }));
    expect((await preview(mine)).rows).toMatchObject({ changed: 1, unchanged: 1, failed: 1 });
    const job = await change(mine);
    const outcome = new Map(job.items.map(({ qrId, changed: is, error }) => [qrId, error ?? is]));
    expect(outcome.get(changed.id)).toContain("has changed since your export");
    expect([outcome.get(same.id), outcome.get(other.id)]).toEqual([false, true]);
    expect((await read(changed.id)).name).toBe("Colleague");
    const forced = await change(mine, "?force=true");
    expect(forced.items.map(({ error }) => error)).toEqual([null, null, null]);
    expect((await read(changed.id)).name).toBe("Mine");
  });

  it("is noticed while the job runs, too", async () => {
    const qr = await client.createQr();
    const job = await harness.accepted(
      await send(csvOf((await exported()).map((row) => ({ ...row, name: "A" })))),
    );
    harness.clock.advance(1000);
    await client.send("PATCH", `/qr/${qr.id}`, { tags: ["theirs"] });
    await harness.drain();
    expect((await harness.read(client, job.jobId)).items[0]?.error).toContain(
      "has changed since your export",
    );
    expect(await read(qr.id)).toMatchObject({ name: null, tags: ["theirs"] });
  });

  it("has its new time in the result, with which the next file changes it", async () => {
    await client.createQr();
    harness.clock.advance(1000);
    const [row] = await exported();
    const { jobId } = await change([{ ...row, name: "A" }]);
    const table = readTable(
      new Uint8Array(await (await client.send("GET", `/qr/bulk/${jobId}/download`)).arrayBuffer()),
      { maxColumns: 9, maxRecords: 9 },
    );
    expect(table[0]).toEqual(["row", "status", "qr_id", "scan_url", "error", "updated_at"]);
    const updatedAt = table[1]?.[5] ?? "";
    harness.clock.advance(1000);
    const next = await change([{ ...row, name: "B", updatedAt }]);
    expect(next.items).toMatchObject([{ status: "succeeded", changed: true }]);
  });
});

describe("items that differ", () => {
  it("give each code its own destination, which scans follow, with one event each", async () => {
    const ids = await insertCodes(client, 10);
    const list = ids.map((id, i) => ({ id, data: url(`https://new.example/${i}`) }));
    const seen = emittedEvents().length;
    const job = await items(list);
    expect(job.items.map(({ changed }) => changed)).toEqual(ids.map(() => true));
    const { hash } = await read(ids[7] ?? "");
    expect((await harness.service.scan(hash)).headers.get("location")).toBe("https://new.example/7");
    const { items: told } = await client.expect(
      200,
      HistoryList,
      "GET",
      `/developer/history?jobId=${job.jobId}`,
    );
    expect(told.map(({ action }) => action)).toEqual(ids.map(() => "code.updated"));
    expect(emittedEvents().length).toBeGreaterThanOrEqual(seen);
  });

  it("report their mistakes alone, and unknown fields in a header", async () => {
    const qr = await client.createQr({ externalId: "A" });
    const answer = await harness.update(client, {
      items: [
        { externalId: "A", name: "Fine", createdAt: qr.createdAt, nonsense: 1 },
        { id: qr.id, nmae: "Slip" },
        { id: "x", name: "A" },
        { name: "Nobody" },
        { hash: qr.hash, scanUrl: qr.scanUrl, status: "on" },
        7,
      ],
    });
    expect(answer.headers.get("x-ignored-fields")).toContain("nonsense");
    const job = await harness.run(client, answer);
    expect(job.items.map(({ status }) => status)).toEqual(["succeeded", ...Array(5).fill("failed")]);
    const problems = ["nmae", "id must be the id", "names no code", "status", "The row must be an object"];
    for (const [i, problem] of problems.entries()) expect(job.items[i + 1]?.error).toContain(problem);
  });

  it("exclude one change of all, and a selection", async () => {
    const list = [{ externalId: "A", name: "A" }];
    for (const [body, field] of [
      [{ items: list, change: { addTags: ["a"] } }, "change"],
      [{ items: list, filter: {} }, "filter"],
      [{ items: list, ids: ["01900000-0000-7000-8000-000000000001"] }, "filter"],
      [{ items: [] }, "items"],
      [{ items: "all" }, "items"],
      [{ filter: {} }, "change"],
      [{ filter: {}, change: {} }, "change"],
      [{ change: { addTags: ["a"] } }, "filter"],
      [{ items: list, itmes: list }, "itmes"],
    ] as const) {
      expect([field, await expectError(await harness.update(client, body), 400, "invalid_input")]).toEqual([
        field,
        expect.stringContaining(field),
      ]);
    }
  });

  it("are previewed with what changes, what stays and what isn't found", async () => {
    const [a, b] = [await client.createQr({ name: "A", tags: ["x"] }), await client.createQr({ name: "B" })];
    const body = {
      items: [{ id: a.id, tags: [] }, { id: b.id, name: "B" }, { externalId: "?" }],
      dryRun: true,
    };
    const answer = await harness.update(client, body);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      matched: 2,
      samples: [{ before: { id: a.id, tags: ["x"] }, after: { tags: [] }, error: null }],
      rows: { changed: 1, unchanged: 1, failed: 1, cleared: ["Removes the tags of 1 code."] },
      ignoredFields: [],
    });
    expect((await read(a.id)).tags).toEqual(["x"]);
    expect(harness.queued).toEqual([]);
  });
});
