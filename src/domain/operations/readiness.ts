import type { Finding, Readiness } from "../../contract/resources/operations/operations.ts";
import { localAdvice } from "../../lib/local-advice.ts";
import { describeError, log } from "../../lib/log.ts";
import { version } from "../../lib/version.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import { TimeoutError, withTimeout } from "../../lib/with-timeout.ts";
import type { Deps } from "../deps.ts";
import { type Check, checksOf, failed, statusPage, unknown, type Verdict } from "./checks.ts";

/** How long a check may take. */
const checkMilliseconds = 3000;

type TimedFinding = Readiness["findings"][number];

/**
 * Checks in parallel everything that the service depends on, without writing. Each finding that isn't ok says how to
 * fix it. Errors are logged; the result doesn't contain their text.
 */
export async function checkReadiness(deps: Deps): Promise<Readiness> {
  const sizes = { catalogue: null as number | null };
  const checks = Object.entries(checksOf(deps, sizes));
  const findings = await Promise.all(checks.map(([name, check]) => perform(deps, name, check)));
  const isDown = findings.some(({ name, status }) => name === "catalogue" && status === "failed");
  const shown = findings.map((finding, i) =>
    isDown && checks[i]?.[1].inCatalogue === true
      ? { ...finding, ...unknown("Not checked, because the catalogue failed.") }
      : finding,
  );
  return {
    ready: shown.every(({ status }) => status !== "failed"),
    version,
    checkedAt: new Date(deps.now()).toISOString(),
    catalogueBytes: sizes.catalogue,
    findings: shown,
  };
}

async function perform(deps: Deps, name: string, { binding, run }: Check): Promise<TimedFinding> {
  const began = deps.now();
  const verdict =
    binding !== undefined && deps.settings.missingBindings.includes(binding)
      ? unknown(`Not checked, because the binding ${binding} is missing.`)
      : await withTimeout(deps, checkMilliseconds, run).catch((error: unknown) => failure(name, error));
  return { name, ...verdict, mend: mendAt(deps, verdict), milliseconds: deps.now() - began };
}

const mendAt = ({ settings }: Deps, { mend }: Verdict): string | null =>
  mend !== null && isLoopback(settings.appOrigin) ? localAdvice(mend) : mend;

function failure(part: Finding["name"], error: unknown): Verdict {
  log("error", "not ready", { part, error: describeError(error) });
  return error instanceof TimeoutError
    ? failed(`It gave ${error.message}.`, statusPage)
    : failed("It answered an error, which the log has.", "npx wrangler tail");
}
