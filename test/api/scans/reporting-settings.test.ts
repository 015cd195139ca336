import { beforeAll, describe, expect, it } from "vitest";
import { Analytics, ReportingSettings } from "../../../src/contract/resources/scans/analytics.ts";
import { expectError } from "../../support/endpoints.ts";
import { settingsPath, settledReporting } from "../../support/scans/reporting.ts";
import { Service, type SessionClient } from "../../support/service.ts";

describe("the reporting settings", () => {
  const service = new Service();
  let session: SessionClient;
  const change = (body: object) => session.send("PATCH", settingsPath, body);

  beforeAll(async () => {
    session = await service.session();
  });

  it("are at first UTC, and scans kept for good", async () => {
    const member = await service.session();
    const settings = await member.expect(200, ReportingSettings.strict(), "GET", settingsPath);
    expect(settings).toEqual({ timeZone: "UTC", keepScansDays: null, rebuilding: null });
  });

  it("change alone and together, and stay as they are without a change", async () => {
    const changed = async (body: object) => {
      await session.expect(200, ReportingSettings.strict(), "PATCH", settingsPath, body);
      const { timeZone, keepScansDays } = await settledReporting(session);
      return [timeZone, keepScansDays];
    };
    expect(await changed({ keepScansDays: 90 })).toEqual(["UTC", 90]);
    expect(await changed({ timeZone: "Europe/Berlin" })).toEqual(["Europe/Berlin", 90]);
    expect(await changed({})).toEqual(["Europe/Berlin", 90]);
    expect(await changed({ timeZone: "us/eastern", keepScansDays: null })).toEqual([
      "America/New_York",
      null,
    ]);
    const client = await service.client(session.workspaceId);
    const { timeZone } = await client.expect(200, Analytics, "GET", "/analytics");
    expect(timeZone).toBe("America/New_York");
    expect(await changed({ timeZone: "UTC", keepScansDays: 365 })).toEqual(["UTC", 365]);
  });

  it("show a change of time zone that is in progress", async () => {
    const member = await service.session();
    const body = { timeZone: "Asia/Kolkata" };
    const { rebuilding } = await member.expect(200, ReportingSettings, "PATCH", settingsPath, body);
    expect(rebuilding).toMatchObject({ timeZone: "Asia/Kolkata" });
    expect(await settledReporting(member)).toMatchObject({ timeZone: "Asia/Kolkata", rebuilding: null });
  });

  it.each([
    [{ timeZone: "Mars/Olympus" }, "timeZone must be an IANA time zone such as Europe/Berlin."],
    [{ timeZone: "+02:00" }, "timeZone must be an IANA time zone such as Europe/Berlin."],
    [{ timeZone: "" }, "timeZone must be an IANA time zone such as Europe/Berlin."],
    [{ timeZone: null }, "timeZone must be a string."],
    [{ keepScansDays: 7 }, "keepScansDays must be 30, 90 or 365, or null to keep scans forever."],
    [{ keepScansDays: "90" }, "keepScansDays must be 30, 90 or 365, or null to keep scans forever."],
    [{ timezone: "UTC" }, "Unknown field `timezone`. Did you mean `timeZone`?"],
  ])("refuse %j, and change nothing", async (body, error) => {
    const before = await settledReporting(session);
    expect(await expectError(await change(body), 400, "invalid_input")).toBe(error);
    expect(await settledReporting(session)).toEqual(before);
  });

  it("are those of one workspace", async () => {
    const other = await service.session();
    await other.expect(200, ReportingSettings, "PATCH", settingsPath, { timeZone: "Asia/Tokyo" });
    expect(await settledReporting(other)).toMatchObject({ timeZone: "Asia/Tokyo" });
    expect(await settledReporting(session)).not.toMatchObject({ timeZone: "Asia/Tokyo" });
  });
});
