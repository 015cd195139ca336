import { describe, expect, inject, it } from "vitest";
import { Deleted, Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { outputOfStart, withoutTime } from "../support/dev-server.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const urlData = (url: string) => ({ data: { type: "url", url } });

// The service that the tests share is one of `npm run dev`. Its end is checked where it is stopped, in shared-stack.ts.
describe("npm run dev", () => {
  it("prints a line for each step, and where to continue", () => {
    const stack = inject("sharedStack");
    expect(stack).not.toHaveProperty("failure");
    if ("output" in stack) expect(withoutTime(stack.output)).toBe(outputOfStart(stack.startMessage));
  });

  it("serves the README's tour, in which scans come from nowhere", async () => {
    const { service } = await OwnWorkspace.create("dev-tour");
    const scanResult = async (scanUrl: string) => {
      const response = await service.scan(scanUrl);
      return { status: response.status, location: response.headers.get("location") };
    };
    const created = service.send("POST", "/qr", { qrType: "url", ...urlData("example.com/one") });
    const { id, scanUrl } = await readStrictly(created, 201, Qr);
    expect(new URL(scanUrl).origin).toBe(service.origin);
    expect(await scanResult(scanUrl)).toEqual({ status: 302, location: "https://example.com/one" });

    await readStrictly(service.send("PATCH", `/qr/${id}`, urlData("https://example.com/two")), 200, Qr);
    expect(await scanResult(scanUrl)).toEqual({ status: 302, location: "https://example.com/two" });

    await readStrictly(service.send("PATCH", `/qr/${id}`, { status: "paused" }), 200, Qr);
    expect(await scanResult(scanUrl)).toEqual({ status: 404, location: null });

    const list = await readStrictly(service.send("GET", "/qr"), 200, QrList);
    expect(list.items).toMatchObject([{ id, status: "paused" }]);

    const scans = () => readStrictly(service.send("GET", `/qr/${id}/scans`), 200, ScanListResponse);
    await expect
      .poll(async () => (await scans()).stats, { timeout: 20_000 })
      .toEqual({ total: 2, uniqueVisitors: 1 });
    expect((await scans()).events.map(({ country, city }) => [country, city])).toEqual([
      [null, null],
      [null, null],
    ]);

    expect(await readStrictly(service.send("DELETE", `/qr/${id}`), 200, Deleted)).toEqual({ success: true });
    expect((await service.send("GET", `/qr/${id}`)).status).toBe(404);
    expect((await service.scan(scanUrl)).status).toBe(404);
  });
});
