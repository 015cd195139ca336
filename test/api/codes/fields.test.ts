import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { type BulkColumn, enteredFields } from "../../../src/contract/resources/codes/qr-fields.ts";
import { OperatorDomain } from "../../../src/contract/resources/domains.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { setAt, valueAt } from "../../../src/lib/field-path.ts";
import { readTable, writeTable } from "../../../src/lib/text/csv.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { emittedEvents } from "../../support/service.ts";

type Cells = Record<Exclude<BulkColumn, "qrType">, string>;

const harness = new BulkHarness();
let me: SignedInBrowser;
let before: Cells;
let after: Cells;

beforeAll(async () => {
  me = await signedIn(harness.service);
  const session = await harness.service.sessionIn(me.client.workspaceId);
  const folder = async (name: string) =>
    (await me.client.expect(201, Folder, "POST", "/folders", { name })).id;
  const template = async (name: string) =>
    (await session.expect(201, Template, "POST", "/developer/templates", { name })).id;
  const domain = async (host: string) => {
    const { workspaceId } = me.client;
    const path = `/operator/domains/${host}`;
    return (await harness.service.operator.expect(200, OperatorDomain, "PUT", path, { workspaceId })).host;
  };
  const two: { readonly [Column in keyof Cells]: readonly [before: string, after: string] } = {
    name: ["Lunch menu", "Dinner menu"],
    url: ["https://example.com/lunch", "https://example.com/dinner"],
    externalId: ["Menu 00123", "Menü 00124"],
    hash: ["lunch-menu", "lunch-menu"],
    folderId: [await folder("Menus"), await folder("Dinners")],
    tags: ["noon|summer", "evening"],
    shape: ["circle", "square"],
    dotsColor: ["#000080", "#800000"],
    backgroundColor: ["#ffffee", "#eeffff"],
    cornerColor: ["#008000", "#404040"],
    templateId: [await template("Navy"), await template("Red")],
    status: ["paused", "active"],
    startsAt: ["2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"],
    expiresAt: ["2040-01-01T00:00:00.000Z", "2041-01-01T00:00:00.000Z"],
    fallbackUrl: ["https://example.com/closed", "https://example.com/later"],
    utmSource: ["poster", "flyer"],
    utmMedium: ["print", "paper"],
    utmCampaign: ["summer", "winter"],
    utmTerm: ["noon", "night"],
    utmContent: ["front", "back"],
    query: ["merge", "raw"],
    domain: [await domain("menus.example"), await domain("dinners.example")],
    aliases: ["menus.example/Menu_1|menus.example/a,b", "dinners.example/Menu_2"],
  };
  const cells = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(two).map(([column, texts]) => [column, texts[index]])) as Cells;
  [before, after] = [cells(0), cells(1)];
});

// Each test gives its code the same own id and addresses.
beforeEach(async () => {
  await env.DB.prepare(
    "UPDATE qr_codes SET external_id = NULL, aliases = NULL, alias_addresses = NULL WHERE workspace_id = ?",
  )
    .bind(me.client.workspaceId)
    .run();
});

const columns = enteredFields.filter(({ column }) => column !== "qrType");

/** The fields of a code, as the cells of a table. */
const cellsIn = (qr: Qr): Record<string, string> =>
  Object.fromEntries(
    columns.map(({ column, path }) => {
      const value = valueAt(qr, path);
      return [column, Array.isArray(value) ? value.join("|") : String(value)];
    }),
  );

/** The body of a request that gives a code what the cells say. */
function bodyOf(cells: Cells): object {
  const body: Record<string, unknown> = { data: { type: "url" } };
  for (const { column, path, kind } of columns) {
    const text = cells[column as keyof Cells];
    setAt(body, path, kind === "list" ? text.split("|") : text);
  }
  return body;
}

/** The name of a field's input in the dashboard's form: shapes are among the styles of modules. */
const inputOf = (path: string): string => (path === "shape" ? "advanced.modules" : path);

/** The same as the dashboard's form has it, in UTC. */
const formOf = (cells: Cells): Record<string, string> =>
  Object.fromEntries(
    columns.map(({ path, column, kind }) => {
      const text = cells[column as keyof Cells];
      if (path === "shape") return [inputOf(path), text === "circle" ? "dots" : text];
      return [
        path,
        kind === "list"
          ? text.replaceAll("|", path === "aliases" ? "\n" : ", ")
          : kind === "time"
            ? text.slice(0, 16)
            : text,
      ];
    }),
  );

const csvOf = (cells: Cells) => writeTable([Object.keys(cells), Object.values(cells)]);
const read = (id: string) => me.client.expect(200, Qr, "GET", `/qr/${id}`);
const chosen = () => `menu-${crypto.randomUUID().slice(0, 8)}`;
const create = (hash = chosen()) =>
  me.client.expect(201, Qr, "POST", "/qr", { qrType: "url", ...bodyOf({ ...before, hash }) });

describe("every field that clients can set", () => {
  it("is kept by the creation of a code, and a column of a CSV", async () => {
    const sent = { ...before, hash: chosen() };
    expect(cellsIn(await create(sent.hash))).toEqual(sent);
    const inCsv = { ...before, hash: chosen(), externalId: "Menu 00125", aliases: "menus.example/csv" };
    const job = await harness.run(me.client, await harness.csv(me.client, csvOf(inCsv)));
    expect(job.items).toMatchObject([{ status: "succeeded" }]);
    expect(cellsIn(await read(job.items[0]?.createdQrId ?? ""))).toEqual(inCsv);
  });

  it("is in a failed row that is offered again, whether it failed at once or while the job ran", async () => {
    for (const isTaken of [true, false]) {
      const cells = { ...before, hash: chosen() };
      const take = () => me.client.createQr({ hash: cells.hash });
      if (isTaken) await take();
      const answer = await harness.csv(me.client, csvOf({ ...cells, url: `${cells.url}?again` }));
      const { jobId } = await harness.accepted(answer);
      if (!isTaken) await take();
      await harness.drain();
      const file = await me.browser.open(`/dashboard/jobs/${jobId}/failed.csv`);
      const [header = [], row = []] = readTable(new Uint8Array(await file.arrayBuffer()), {
        maxColumns: 50,
        maxRecords: 3,
      });
      const offered = Object.fromEntries(header.map((column, i) => [column, row[i]]));
      expect(offered).toEqual({ ...cells, url: `${cells.url}?again`, error: expect.anything() });
      const page = await pageAt(me.browser, `/dashboard/codes/import?job=${jobId}`);
      expect(Object.values(fieldsOf(page))).toEqual(expect.arrayContaining(header.slice(0, -1)));
    }
  });

  it("has an input in the form of a new code, and one that shows it in the form of a code", async () => {
    const path = "/dashboard/codes/new";
    const empty = fieldsOf(await pageAt(me.browser, path));
    const withoutInput = (form: object, but: string) =>
      columns
        .map((field) => inputOf(field.path))
        .filter((name) => !Object.hasOwn(form, name) && name !== but);
    expect({ withoutInput: withoutInput(empty, "status") }).toEqual({ withoutInput: [] });
    const sent = { ...before, hash: chosen(), status: "active" };
    const entered = { ...formOf(sent), status: "" };
    const created = await me.browser.submit(path, { ...empty, ...entered });
    expect([created.status, await created.text()]).toEqual([303, ""]);
    const id = created.headers.get("location")?.split("/").at(-1) ?? "";
    expect(cellsIn(await read(id))).toEqual(sent);

    const edit = `/dashboard/codes/${id}/edit`;
    const shown = fieldsOf(await pageAt(me.browser, edit));
    expect({ withoutInput: withoutInput(shown, "hash") }).toEqual({ withoutInput: [] });
    expect({ ...shown, hash: sent.hash }).toMatchObject(formOf(sent));
    expect((await me.browser.submit(edit, shown)).status).toBe(303);
    expect(cellsIn(await read(id))).toEqual(sent);
    const { hash: _, ...changes } = formOf(after);
    expect((await me.browser.submit(edit, { ...shown, ...changes })).status).toBe(303);
    expect(cellsIn(await read(id))).toEqual({ ...after, hash: sent.hash });
  });

  it("is changed by a PATCH, whose event names it", async () => {
    const { id, hash } = await create();
    const changes = bodyOf({ ...after, hash });
    const changed = await me.client.expect(200, Qr, "PATCH", `/qr/${id}`, changes);
    expect(cellsIn(changed)).toEqual({ ...after, hash });
    expect(await read(id)).toEqual(changed);
    const reported = emittedEvents().flatMap(({ kind, data }) =>
      kind === "qr.updated" && data.id === id ? [data] : [],
    );
    const changeable = columns.filter(({ set }) => set === "always").map(({ field }) => field);
    expect(reported).toMatchObject([{ ...changed, changed: expect.arrayContaining(changeable) }]);
    expect(await me.client.expect(200, Qr, "PATCH", `/qr/${id}`, changes)).toEqual(changed);
  });

  it("is erased 30 days after its code was deleted", async () => {
    const { id, hash } = await create();
    await me.client.send("DELETE", `/qr/${id}`);
    const row = () => env.DB.prepare("SELECT * FROM qr_codes WHERE id = ?").bind(id).first();
    const kept = (values: unknown) =>
      columns.flatMap(({ column, kind }) => {
        const text = before[column as keyof Cells];
        const stored =
          kind === "time" ? String(Date.parse(text)) : kind === "list" ? text.split("|")[0] : text;
        return JSON.stringify(values).includes(stored ?? "") ? [column] : [];
      });
    expect(kept({ ...(await row()), hash: before.hash })).toEqual(Object.keys(before));
    harness.clock.advance(30 * 86_400_000);
    await sweep(harness.service.deps);
    expect(kept({ ...(await row()), hash: before.hash })).toEqual(["hash", "status"]);
    expect(await row()).toMatchObject({ hash });
  });
});
