import type { DomainProblem, DomainStatus } from "../../contract/resources/domains.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import type { Deps, Settings } from "../deps.ts";
import { checkCertificate } from "./certificate-problems.ts";
import {
  type CustomHostname,
  CustomHostnameError,
  countCustomHostnames,
  createCustomHostname,
  deleteCustomHostname,
  findCustomHostname,
  getCustomHostname,
  restartCustomHostname,
} from "./custom-hostnames.ts";
import { readTxt } from "./dns.ts";
import { type Finding, shortDetail } from "./finding.ts";
import { type Pointing, readPointing, readProxied } from "./pointing.ts";

/** How far a workspace's claim to a host has come. */
export interface Claim {
  readonly host: string;
  /** The value that the workspace's TXT record must hold. */
  readonly token: string;
  readonly status: DomainStatus;
  /** When the TXT record was first seen, epoch milliseconds. */
  readonly provedAt: number | null;
  /** Null also for a host of the operator's own zones. */
  readonly customHostnameId: string | null;
  /** When the host was claimed, epoch milliseconds: an old claim is checked less often. */
  readonly createdAt?: number;
}

/** How far a claim has come now, to be stored before it is advanced again. */
export interface ClaimProgress {
  readonly status: DomainStatus;
  readonly provedAt: number | null;
  readonly customHostnameId: string | null;
  readonly problem: DomainProblem | null;
  readonly detail: string | null;
  /** When to look again, epoch milliseconds. */
  readonly checkAt: number;
}

/** Lookups that a claim depends on besides DNS and Cloudflare. */
export interface ClaimOptions {
  /** Whether no other workspace holds the host and still proves it. Asked once the claim is proved. */
  mayTake(): Promise<boolean>;
  /** How many custom hostnames this installation has. */
  inUse(): Promise<number>;
  /** Whether to look for the proof alone, which takes DNS and no request to Cloudflare's API. */
  readonly proofOnly?: boolean;
}

const minute = 60_000;
const hour = 60 * minute;

/** When a claim is looked at again. All times are milliseconds. */
const pace = {
  unproved: 5 * minute,
  pending: 2 * minute,
  active: 24 * hour,
  /** An active host with a problem, and what only the operator or the customer can change. */
  problem: hour,
  /** After Cloudflare failed, or was asked to check anew. */
  patience: 10 * minute,
  /** The longest intervals of a claim that isn't active, and by which share of its age they grow. */
  longest: { unproved: 6 * hour, pending: hour },
  growth: 1 / 4,
  /** When Cloudflare has made its first ten checks of a hostname, and its next ones are hours apart. */
  stalled: 20 * minute,
};

const proofPrefix = "qr-owner=";

const proofName = (host: string): string => `_qr-owner.${host}`;

/** Returns whether a host is one of local development, which needs no record. */
const isLocal = (settings: Settings, host: string): boolean =>
  !requiresHttps(settings.scanOrigin) && host.endsWith(".localhost");

/** Returns the DNS records that a customer sets for a host. */
export function recordsOf(
  settings: Settings,
  host: string,
  token: string,
): readonly { type: "TXT" | "CNAME"; name: string; value: string }[] {
  if (isLocal(settings, host)) return [];
  const target = settings.customHostnames?.target;
  return [
    { type: "TXT", name: proofName(host), value: `${proofPrefix}${token}` },
    ...(target === undefined ? [] : [{ type: "CNAME" as const, name: host, value: target }]),
  ];
}

/** Takes a claim to a host that nobody holds as far as its proof, with DNS alone. */
export const lookForProof = (deps: Deps, claim: Claim): Promise<ClaimProgress> =>
  advanceClaim(deps, claim, {
    proofOnly: true,
    mayTake: () => Promise.resolve(true),
    inUse: () => Promise.resolve(0),
  });

/** Returns whether the host's TXT record proves a claim. */
export async function hasProof(deps: Deps, host: string, token: string): Promise<boolean | "unreadable"> {
  const finding = await checkProof(deps, host, token);
  return finding?.problem === "dns_unreadable" ? "unreadable" : finding === null;
}

/** Looks for the TXT record of a claim. @returns null if it is there */
async function checkProof(deps: Deps, host: string, token: string): Promise<Finding | null> {
  if (isLocal(deps.settings, host)) return null;
  const records = await readTxt(deps, proofName(host));
  if (records === "unreadable") return { problem: "dns_unreadable", detail: null };
  const { values, cname } = records;
  if (values.includes(proofPrefix + token)) return null;
  const found = cname === null ? values : [`CNAME ${cname}`, ...values];
  return found.length === 0
    ? { problem: "txt_missing", detail: null }
    : { problem: "txt_differs", detail: shortDetail(found.join(", ")) };
}

/**
 * Takes a claim as far as it can come now: looks for the proof, creates the custom hostname, follows its certificate;
 * checks one that is active. Makes at most 22 requests. Store the result and call again at `checkAt`: every call begins
 * with what DNS and Cloudflare say, so one that was interrupted does no harm.
 */
export async function advanceClaim(deps: Deps, claim: Claim, options: ClaimOptions): Promise<ClaimProgress> {
  if (claim.status === "active") return checkActive(deps, claim);
  const finding = await checkProof(deps, claim.host, claim.token);
  // A claim that was proved stays so, or it would lapse while its codes are in print.
  if (finding !== null) return progress(deps, claim, finding);
  if (!(await options.mayTake())) {
    return progress(deps, claim, { problem: "held_by_another_workspace", detail: null });
  }
  const proved: Claim = { ...claim, status: "pending", provedAt: claim.provedAt ?? deps.now() };
  if (isLocal(deps.settings, claim.host)) return progress(deps, { ...proved, status: "active" }, null);
  if (options.proofOnly === true) return { ...progress(deps, proved, null), checkAt: deps.now() };
  return takeFurther(deps, proved, options);
}

/** Deletes the custom hostname of a host that isn't used any more. @throws CustomHostnameError */
export const releaseHost = (deps: Deps, customHostnameId: string): Promise<void> =>
  deleteCustomHostname(deps, customHostnameId);

/** Creates or adopts the custom hostname of a proved claim, and looks how far it is. */
async function takeFurther(deps: Deps, proved: Claim, { inUse }: ClaimOptions): Promise<ClaimProgress> {
  let claim = proved;
  try {
    const hostname = await hostnameOf(deps, claim, inUse);
    if (hostname === null) return progress(deps, claim, { problem: "installation_full", detail: null });
    claim = { ...claim, customHostnameId: hostname.id };
    const pointing = await readPointing(deps, claim.host, targetOf(deps));
    const restart = needsRestart(deps, hostname, pointing);
    const restarted = restart ? await restartCustomHostname(deps, hostname) : hostname;
    // Cloudflare blocks again soon after what it has blocked. Until then, it would seem to be only waiting.
    const finding = await check(deps, isBlocked(hostname) ? hostname : restarted, pointing);
    if (finding === null) return progress(deps, { ...claim, status: "active" }, null);
    const patience = isBlocked(hostname) ? pace.problem : pace.patience;
    return progress(deps, claim, finding, restart ? patience : 0);
  } catch (error) {
    return progressOfFailure(deps, claim, error);
  }
}

/** Returns the claim's custom hostname, made now if there is none; null if there may be no more. */
async function hostnameOf(
  deps: Deps,
  { host, customHostnameId: id }: Claim,
  inUse: ClaimOptions["inUse"],
): Promise<CustomHostname | null> {
  const own = id === null ? null : await getCustomHostname(deps, id);
  // An id of another host would show that host's state, and release it with this claim.
  if (own?.hostname === host) return own;
  const existing = await findCustomHostname(deps, host);
  if (existing !== null) return existing;
  const most = deps.settings.customHostnames?.max ?? 0;
  if (Math.max(await inUse(), await countCustomHostnames(deps)) >= most) return null;
  try {
    return await createCustomHostname(deps, host);
  } catch (error) {
    if (!(error instanceof CustomHostnameError && error.failure === "duplicate")) throw error;
    // Another call has created it in the meantime.
    const created = await findCustomHostname(deps, host);
    if (created === null) throw error;
    return created;
  }
}

/** Looks whether an active host still works. It stays active unless Cloudflare has given it up. */
async function checkActive(deps: Deps, claim: Claim): Promise<ClaimProgress> {
  if (isLocal(deps.settings, claim.host)) return progress(deps, claim, null);
  if (claim.customHostnameId === null) {
    return progress(deps, claim, pointingFinding(await readProxied(deps, claim.host)));
  }
  try {
    const hostname = await getCustomHostname(deps, claim.customHostnameId);
    const pointing = await readPointing(deps, claim.host, targetOf(deps));
    if (hostname?.hostname !== claim.host) {
      const gone: Claim = { ...claim, status: "pending", customHostnameId: null };
      const finding = pointingFinding(pointing) ?? { problem: "certificate_pending", detail: null };
      return progress(deps, gone, finding, pace.pending);
    }
    const finding = await check(deps, hostname, pointing);
    if (isGivenUp(hostname)) return progress(deps, { ...claim, status: "pending" }, finding, pace.pending);
    if (isStalled(hostname) && pointing.to === "here") await restartCustomHostname(deps, hostname);
    return progress(deps, claim, finding);
  } catch (error) {
    return progressOfFailure(deps, claim, error);
  }
}

const targetOf = ({ settings }: Deps): string => settings.customHostnames?.target ?? "";

const isBlocked = ({ status }: CustomHostname): boolean => status.endsWith("blocked");

/** Returns whether Cloudflare no longer serves the host here. */
const isGivenUp = (hostname: CustomHostname): boolean =>
  isBlocked(hostname) || ["moved", "deleted", "pending_deletion"].includes(hostname.status);

/** Returns whether Cloudflare has given up on the certificate until it is told to check anew. */
const isStalled = ({ certificate: { status } }: CustomHostname): boolean =>
  status.endsWith("_timed_out") || status === "expired";

const isServing = ({ status }: CustomHostname): boolean =>
  status === "active" || status === "active_redeploying";

const isReady = (hostname: CustomHostname): boolean =>
  isServing(hostname) && hostname.certificate.status === "active";

/** Returns whether Cloudflare made its quick checks of a hostname without success. */
const isLate = (deps: Deps, { createdAt }: CustomHostname): boolean =>
  createdAt !== null && deps.now() - createdAt >= pace.stalled;

/** Returns whether Cloudflare should check a hostname anew, because what it waits for is there. */
function needsRestart(deps: Deps, hostname: CustomHostname, { to }: Pointing): boolean {
  if (isReady(hostname) || (to !== "here" && to !== "proxy")) return false;
  if (isStalled(hostname)) return true;
  // A hostname that is being deleted can't be checked.
  if (isGivenUp(hostname)) return hostname.status !== "pending_deletion";
  // The certificate's own checks go on by themselves: begun anew each time, they would never end.
  return !isServing(hostname) && isLate(deps, hostname);
}

/** Returns what keeps a host from working; null if nothing does. */
async function check(deps: Deps, hostname: CustomHostname, pointing: Pointing): Promise<Finding | null> {
  const [error = null] = hostname.errors;
  if (isBlocked(hostname)) return { problem: "host_refused", detail: error };
  const finding = pointingFinding(pointing);
  if (finding !== null) return finding;
  if (isReady(hostname)) return null;
  if (pointing.to === "proxy") return { problem: "proxied_elsewhere", detail: error ?? pointing.found };
  if (isGivenUp(hostname)) return { problem: "proxied_elsewhere", detail: error };
  // Cloudflare accepts no addresses in place of a CNAME, unless the zone has apex proxying.
  if (!isServing(hostname) && pointing.to === "here" && pointing.by === "addresses" && error !== null) {
    return { problem: "cname_missing", detail: error };
  }
  return checkCertificate(deps, hostname, isLate(deps, hostname));
}

/** Returns what is wrong with where a host leads. Behind a proxy, only Cloudflare knows. */
function pointingFinding(pointing: Pointing): Finding | null {
  if (pointing.to === "unreadable") return { problem: "dns_unreadable", detail: null };
  if (pointing.to === "nowhere") return { problem: "cname_missing", detail: null };
  if (pointing.to !== "elsewhere") return null;
  return { problem: "cname_elsewhere", detail: shortDetail(pointing.found) };
}

/** Returns a claim's state with what was found. @param wait until the next look, if not by the claim's pace */
function progress(
  deps: Deps,
  { status, provedAt, customHostnameId, createdAt }: Claim,
  finding: Finding | null,
  wait = 0,
): ClaimProgress {
  const since = status === "unproved" ? createdAt : provedAt;
  const age = Math.max(0, deps.now() - (since ?? deps.now()));
  const byOthers = finding?.problem === "installation_full" || finding?.problem === "installation_unready";
  const interval =
    status === "active"
      ? finding === null
        ? pace.active
        : pace.problem
      : Math.max(
          pace[status],
          Math.min(age * pace.growth, pace.longest[status]),
          byOthers ? pace.problem : 0,
        );
  const { problem = null, detail = null } = finding ?? {};
  return {
    status,
    provedAt,
    customHostnameId,
    problem,
    detail,
    checkAt: deps.now() + (wait === 0 ? interval : wait),
  };
}

/** Returns the state of a claim that stays where it is, because Cloudflare failed. @throws any other error */
function progressOfFailure(deps: Deps, claim: Claim, error: unknown): ClaimProgress {
  if (!(error instanceof CustomHostnameError)) throw error;
  const { failure, detail, retryAfter } = error;
  if (failure === "unready") return progress(deps, claim, { problem: "installation_unready", detail });
  if (failure === "full") return progress(deps, claim, { problem: "installation_full", detail: null });
  if (failure === "refused") {
    return progress(deps, claim, { problem: "host_refused", detail }, pace.problem);
  }
  const problem = claim.status === "active" ? "installation_unready" : "certificate_pending";
  const wait = Math.max(retryAfter ?? pace.patience, pace.pending);
  return progress(deps, claim, { problem, detail }, wait);
}
