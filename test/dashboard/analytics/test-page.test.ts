import { expect, it } from "vitest";
import { Browser } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { EventStream } from "../../support/scans/event-stream.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { Service } from "../../support/service.ts";

const service = new Service();

it("the stream of a test page begins with the scans that were recorded after the page was drawn", async () => {
  const session = await service.session();
  const { workspaceId } = session;
  const qr = await (await service.client(workspaceId)).createQr();
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const record = async () => {
    const scan = scanRecord({ at: service.deps.now(), workspaceId, qrId: qr.id, hash: qr.hash });
    await service.deps.ledger(workspaceId).recordScans(packed(scan), service.deps.now());
  };
  await record();
  const [earlier] = (await service.deps.ledger(workspaceId).listScans(qr.id, 1)).events;
  const opened = await browser.open(`/dashboard/codes/${qr.id}/test`);
  const ownAddress = opened.headers.get("location") ?? "";
  const page = await pageAt(browser, ownAddress);
  // It begins with nothing.
  expect(page).not.toContain("<li data-id");
  await record();
  const [, address = ""] = /data-live="\/api\/v1([^"]+)"/.exec(page) ?? [];
  const stream = await EventStream.open(session, address);
  const event = await stream.next();
  expect(event).toMatchObject({ name: "scan", data: { qrId: qr.id } });
  expect(event?.data.id).not.toBe(earlier?.id);
  // As when it is reloaded without scripts.
  const reloaded = await pageAt(browser, ownAddress);
  expect([...reloaded.matchAll(/<li data-id="([^"]+)"/g)].map(([, id]) => id)).toEqual([event?.data.id]);
});
