import { expect, it } from "vitest";
import * as z from "zod";
import { unknownValue } from "../../src/contract/resources/scans/scan-filters.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { scanRecord } from "../support/scans/scans.ts";
import { userAgents } from "../support/scans/user-agents.ts";
import { recordVaried } from "../support/scans/varied-scans.ts";
import { Service } from "../support/service.ts";

const service = new Service();
const Totals = z.object({ totals: z.object({ scans: z.number(), botScans: z.number() }) });

it("a scan has the device, system and browser of its user agent, and one by a program is counted apart", async () => {
  const client = await service.workspace();
  const { id, hash } = await client.createQr();
  const { workspaceId } = client;
  const at = service.deps.now();
  const scans = userAgents.map(([userAgent]) => scanRecord({ at, workspaceId, qrId: id, hash, userAgent }));
  await recordVaried(service, scans);

  const programs = userAgents.filter(([, expected]) => expected === "bot").length;
  const totals = { scans: userAgents.length - programs, botScans: programs };
  const report = await client.expect(200, Totals, "GET", `/qr/${id}/analytics`);
  expect(report.totals).toEqual(totals);

  const found = new Map<string | null, unknown>();
  const names = userAgents.map(([, expected]) => (expected === "bot" ? null : expected[2]));
  for (const name of new Set(names)) {
    const query = new URLSearchParams({ limit: "500", browser: name ?? unknownValue });
    const { events } = await client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans?${query}`);
    for (const { userAgent, device, os } of events) found.set(userAgent, [device, os, name]);
  }
  expect(userAgents.map(([agent]) => [agent, found.get(agent) ?? "bot"])).toEqual(userAgents);
});
