import { AbuseReportList } from "../../src/contract/resources/operations/abuse-reports.ts";
import type { FakeClock, Service } from "./service.ts";

/** Reports a code with the form. @param code as typed; @returns the hash in the newest report */
export async function reportedHash(
  { service, clock }: { readonly service: Service; readonly clock: FakeClock },
  code: string,
): Promise<string | null | undefined> {
  // Orders reports by their ids.
  clock.advance(1);
  await service.fetch("/report", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ code, reason: "spam" }).toString(),
  });
  const { items } = await service.operator.expect(200, AbuseReportList, "GET", "/operator/reports?limit=1");
  return items[0]?.hash;
}
