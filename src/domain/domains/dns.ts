import * as z from "zod";
import { describeError, log } from "../../lib/log.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Deps } from "../deps.ts";
import { ask } from "./requests.ts";

/** The time of one query in milliseconds, the size of an answer in bytes, and its records. */
const rules = { timeout: 5000, answer: 64 * 1024, records: 200, chain: 16, caaLookups: 10 };

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 } as const;

/** Codes of responses (IANA, DNS RCODEs). */
const codes = { noError: 0, nameDoesNotExist: 3 };

const Reply = z.object({
  Status: z.int(),
  TC: z.boolean().optional(),
  Answer: z
    .array(z.object({ name: z.string(), type: z.int(), data: z.string() }))
    .max(rules.records)
    .optional(),
});

interface DnsRecord {
  readonly name: string;
  readonly type: number;
  readonly data: string;
}

/** The name could not be read: whether it has records isn't known. */
export type Unreadable = "unreadable";

/** Returns a name as it is compared: in lower case, without the root's dot. */
const normal = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/**
 * Asks the resolver for the records of a name.
 * @returns the whole answer, with the CNAME records on the way; none if there is no such name
 */
async function query(deps: Deps, name: string, type: keyof typeof types): Promise<DnsRecord[] | Unreadable> {
  const url = new URL(deps.settings.dnsResolver);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  try {
    return await withTimeout(deps, rules.timeout, async (signal) => {
      const response = await ask(deps, url.href, {
        headers: { accept: "application/dns-json" },
        redirect: "manual",
        signal,
      });
      const text = await readAtMost(response.body, rules.answer, signal);
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
      const { Status: code, TC: isTruncated, Answer: answer } = Reply.parse(JSON.parse(text));
      if (isTruncated === true) throw new Error("the answer is truncated");
      if (code !== codes.noError && code !== codes.nameDoesNotExist) throw new Error(`response code ${code}`);
      return (answer ?? []).map((record) => ({ ...record, name: normal(record.name) }));
    });
  } catch (error) {
    log("warn", "DNS not read", { name, type, error: describeError(error) });
    return "unreadable";
  }
}

/** Returns the names to which CNAME records lead from a name, in order. */
function aliasesOf(name: string, answer: readonly DnsRecord[]): string[] {
  const targets = new Map(
    answer.filter(({ type }) => type === types.CNAME).map((record) => [record.name, normal(record.data)]),
  );
  const aliases: string[] = [];
  for (let next = targets.get(normal(name)); next !== undefined; next = targets.get(next)) {
    if (aliases.includes(next) || aliases.length === rules.chain) break;
    aliases.push(next);
  }
  return aliases;
}

/** The text records at a name. */
export interface TxtRecords {
  /** Values of records at this very name. Those behind a CNAME are left out: someone else could have set them. */
  readonly values: readonly string[];
  /** Where a CNAME at this name leads; null without one. */
  readonly cname: string | null;
}

/** Reads the TXT records of a name. */
export async function readTxt(deps: Deps, name: string): Promise<TxtRecords | Unreadable> {
  const answer = await query(deps, name, "TXT");
  if (answer === "unreadable") return answer;
  const own = answer.filter((record) => record.type === types.TXT && record.name === normal(name));
  return { values: own.map(({ data }) => textOf(data)), cname: aliasesOf(name, answer)[0] ?? null };
}

/** Joins the quoted chunks of a TXT value. A value without quotes is taken as it is. */
function textOf(data: string): string {
  if (!/^\s*(?:"(?:[^"\\]|\\.)*"\s*)+$/s.test(data)) return data;
  return [...data.matchAll(/\s*"((?:[^"\\]|\\.)*)"/gsy)]
    .map(([, chunk = ""]) =>
      chunk.replace(/\\(\d{3}|.)/gs, (_, escaped: string) =>
        escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
      ),
    )
    .join("");
}

/** Where a name leads. */
export interface Addresses {
  /** The names to which its CNAME records lead, in order. */
  readonly cnames: readonly string[];
  /** IPv4 and IPv6 addresses at the end. */
  readonly addresses: readonly string[];
}

/** Reads the CNAME, A and AAAA records of a name. */
export async function readAddresses(deps: Deps, name: string): Promise<Addresses | Unreadable> {
  const [v4, v6] = await Promise.all([query(deps, name, "A"), query(deps, name, "AAAA")]);
  if (v4 === "unreadable" || v6 === "unreadable") return "unreadable";
  const addresses = [...v4, ...v6]
    .filter(({ type }) => type === types.A || type === types.AAAA)
    .map(({ data }) => data.toLowerCase());
  return { cnames: aliasesOf(name, [...v4, ...v6]), addresses: [...new Set(addresses)] };
}

/** Which certificate authorities may issue for a host. */
export interface CaaRecords {
  /** The name that has the records: the host, a name above it, or one to which a CNAME leads. */
  readonly name: string;
  /** Domains of the authorities that may issue; empty if none may. */
  readonly issuers: readonly string[];
}

/**
 * Reads the CAA records that apply to a host: its own, or else those of the nearest name above it (RFC 8659).
 * @returns null if every authority may issue
 */
export async function readCaa(deps: Deps, host: string): Promise<CaaRecords | Unreadable | null> {
  const labels = host.split(".");
  for (const [i] of labels.slice(0, rules.caaLookups).entries()) {
    const answer = await query(deps, labels.slice(i).join("."), "CAA");
    if (answer === "unreadable") return answer;
    const found = answer.filter(({ type }) => type === types.CAA);
    const [first] = found;
    if (first === undefined) continue;
    const issue = found.map(({ data }) => propertyOf(data)).filter(({ tag }) => tag === "issue");
    // Without `issue`, the records only name a contact, or restrict wildcards.
    if (issue.length === 0) return null;
    return { name: first.name, issuers: issue.map(({ value }) => issuerOf(value)).filter(Boolean) };
  }
  return null;
}

/** Returns the domain of an authority without its parameters. */
const issuerOf = (value: string): string => (value.split(";")[0] ?? "").trim().toLowerCase();

/** Reads a CAA record, as text or, as Cloudflare's resolver answers it, in the generic form of RFC 3597. */
function propertyOf(data: string): { tag: string; value: string } {
  const [, hex] = /^\\#\s+\d+\s+([\da-f][\da-f\s]*)$/i.exec(data) ?? [];
  if (hex === undefined) {
    const [, tag = "", value = ""] = /^\d+\s+(\w+)\s+(.*)$/s.exec(data.trim()) ?? [];
    return { tag: tag.toLowerCase(), value: textOf(value) };
  }
  const bytes = hex.match(/[\da-f]{2}/gi)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const [, length = 0, ...rest] = bytes;
  const text = String.fromCharCode(...rest);
  return { tag: text.slice(0, length).toLowerCase(), value: text.slice(length) };
}
