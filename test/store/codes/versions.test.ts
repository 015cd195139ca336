import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness } from "../../support/bulk.ts";
import type { Client } from "../../support/service.ts";
import { suspensionPath } from "../../support/suspension.ts";

const harness = new BulkHarness();
const { service, clock } = harness;

beforeAll(async () => {
  await env.DB.prepare(
    `CREATE TRIGGER versions_rise BEFORE UPDATE ON qr_codes WHEN NEW.version <= OLD.version BEGIN
       SELECT RAISE(ABORT, 'the version of a code did not rise');
     END`,
  ).run();
});

type Act = (client: Client, qr: Qr) => Promise<unknown>;

const bulkUpdate: Act = async (client, { id }) =>
  harness.run(client, await harness.update(client, { ids: [id], change: { addTags: ["a"] } }));
const sendEmpty =
  (method: string, action = ""): Act =>
  (client, { id }) =>
    client.send(method, `/qr/${id}${action}`);
const patch =
  (body: object): Act =>
  (client, { id }) =>
    client.send("PATCH", `/qr/${id}`, body);
const suspend: Act = (_, { id }) =>
  service.operator.send("PUT", suspensionPath("qr", id), { reason: "Reported as phishing" });
const removeFolder: Act = (client, { folderId }) => client.send("DELETE", `/folders/${folderId}`);
const restoreFolder: Act = (client, { folderId }) => client.send("POST", `/folders/${folderId}/restore`);
const eraseDeleted: Act = async () => {
  clock.advance(31 * 86_400_000);
  await harness.sweep();
};

const measuring: Act = () => harness.sweep();

/** The actions that update codes, in the order in which one code goes through them, by the file with the statement. */
const acts: readonly [file: string, name: string, act: Act][] = [
  ["resources/changes", "a change", patch({ name: "New" })],
  ["resources/changes", "a pause", patch({ status: "paused" })],
  ["resources/changes", "a suspension", suspend],
  ["codes/unmeasured", "a measurement by the sweep", measuring],
  ["resources/changes", "a bulk update", bulkUpdate],
  ["folders/folders", "the removal of its folder", removeFolder],
  ["folders/folders", "the restoration of its folder", restoreFolder],
  ["folders/folders", "a second removal of its folder", removeFolder],
  ["deleted", "the end of its folder", eraseDeleted],
  ["resources/changes", "a deletion", sendEmpty("DELETE")],
  ["resources/changes", "a restoration", sendEmpty("POST", "/restore")],
  ["resources/changes", "a second deletion", sendEmpty("DELETE")],
  ["operations/erasure", "its erasure", eraseDeleted],
];

it("every update of a code raises its version", async () => {
  const client = await service.workspace();
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
  // Its design is measured later.
  const unmeasuring = await harness.isolate({ images: undefined }).client(client.workspaceId);
  const qr = await unmeasuring.createQr({ folderId: folder.id, shape: "circle" });
  const raised: string[] = [];
  for (const [, name, act] of acts) {
    const before = await versionOf(qr);
    await act(client, qr);
    if ((await versionOf(qr)) === before + 1) raised.push(name);
  }
  expect(raised).toEqual(acts.map(([, name]) => name));
});

const versionOf = async ({ id }: Qr) =>
  Number(await env.DB.prepare("SELECT version FROM qr_codes WHERE id = ?").bind(id).first("version"));

it("no other file has a statement that updates codes, and no trigger", async () => {
  const files = import.meta.glob("../../../src/**/*.ts", { query: "?raw", import: "default", eager: true });
  const isUpdate = /\bUPDATE ("?qr_codes\b|\$\{table\})|\.update\(qrCodes\)/i;
  const updating = Object.entries(files).flatMap(([path, text]) =>
    text
      .split("\n")
      .flatMap((line) => (isUpdate.test(line) ? path.replace(/^.*\/src\/store\/(.*)\.ts$/, "$1") : [])),
  );
  // The erasure of a workspace ends with every code erased: see leaving.test.ts. A lease is of a table of jobs.
  const expected = new Set([...acts.map(([file]) => file), "workspaces/deletion", "jobs/lease"]);
  expect([...new Set(updating)].toSorted()).toEqual([...expected].toSorted());
  const triggers = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  expect(triggers.results.length).toBeGreaterThan(0);
  for (const { sql } of triggers.results) expect(sql).not.toMatch(/\bUPDATE qr_codes\b/);
});
