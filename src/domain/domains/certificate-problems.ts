import type { Deps } from "../deps.ts";
import type { CustomHostname } from "./custom-hostnames.ts";
import { readCaa, readTxt } from "./dns.ts";
import { type Finding, shortDetail } from "./finding.ts";

/** The certificate authorities that Cloudflare uses for custom hostnames, as CAA records name them. */
const authorities = ["pki.goog", "letsencrypt.org", "ssl.com"];

/**
 * Returns why a host that leads here has no certificate yet.
 * @param isLate whether it should have one by now
 */
export async function checkCertificate(
  deps: Deps,
  { hostname: host, errors, certificate }: CustomHostname,
  isLate: boolean,
): Promise<Finding> {
  const caa = await readCaa(deps, host);
  if (caa !== null && caa !== "unreadable" && !caa.issuers.some((issuer) => authorities.includes(issuer))) {
    const found = caa.issuers.length === 0 ? "no authority" : caa.issuers.join(", ");
    return { problem: "certificate_refused", detail: shortDetail(`CAA of ${caa.name}: ${found}`) };
  }
  const error = certificate.errors[0] ?? errors[0] ?? null;
  const refusal = certificate.errors.find((text) => /\bcaa\b/i.test(text));
  if (refusal !== undefined) return { problem: "certificate_refused", detail: refusal };
  if (error !== null || isLate) {
    const name = `_acme-challenge.${host}`;
    const records = await readTxt(deps, name);
    if (records !== "unreadable") {
      const { cname, values } = records;
      const found = cname === null ? values.map((value) => `TXT ${value}`) : [`CNAME ${cname}`];
      if (found.length > 0) {
        return { problem: "challenge_blocked", detail: shortDetail(`${name}: ${found.join(", ")}`) };
      }
    }
  }
  return { problem: "certificate_pending", detail: error };
}
