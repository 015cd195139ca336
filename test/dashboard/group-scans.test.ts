import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { insertCodes } from "../support/bulk.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { Service } from "../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let folderId: string;

beforeEach(async () => {
  me = await signedIn(service);
  ({ id: folderId } = await me.client.expect(201, Folder, "POST", "/folders", { name: "Menus" }));
});

/** Creates a code and records scans of it. */
async function scanned(scans: number, input: object) {
  const { workspaceId } = me.client;
  const { id, hash } = await me.client.createQr(input);
  const at = service.deps.now();
  for (let i = 0; i < scans; i += 1) {
    const scan = scanRecord({ at, workspaceId, qrId: id, hash });
    await service.deps.ledger(workspaceId).recordScans(packed(scan), at);
  }
  return id;
}

/** The labels of a page's sparklines, by the name in their row. */
const scansIn = (page: string) =>
  Object.fromEntries(
    Array.from(
      page.matchAll(/class="name"[^>]*>.*?<span>([^<]*)<.*?(\d+ scans?) in the last 30 days/gs),
      ([, name, label]) => [name, label],
    ),
  );

describe.each([
  ["folders", "/dashboard/folders"],
  ["tags", "/dashboard/tags"],
])("the list of %s", (kind, path) => {
  const grouped = () => (kind === "folders" ? { folderId } : { tags: ["Menus"] });

  it("adds up the scans of the codes that are there now", async () => {
    await scanned(2, grouped());
    await scanned(3, grouped());
    await scanned(4, {});
    const gone = await scanned(1, grouped());
    await me.client.send("DELETE", `/qr/${gone}`);
    if (kind === "folders") await me.client.send("POST", "/folders", { name: "None" });
    const page = await pageAt(me.browser, path);
    expect(scansIn(page)).toEqual({ Menus: "5 scans", ...(kind === "folders" && { None: "0 scans" }) });
    expect(page).not.toContain("0 0 -1");
  });

  it("shows none for more codes than are added up", async () => {
    await scanned(1, grouped());
    await insertCodes(me.client, limits.analytics.codes);
    if (kind === "folders") {
      await env.DB.prepare("UPDATE qr_codes SET folder_id = ? WHERE workspace_id = ?")
        .bind(folderId, me.client.workspaceId)
        .run();
    } else {
      await env.DB.prepare("UPDATE qr_codes SET tags = '[\"Menus\"]' WHERE workspace_id = ?")
        .bind(me.client.workspaceId)
        .run();
    }
    expect(await pageAt(me.browser, path)).not.toContain("Last 30 days");
  });
});
