import { randomUUID } from "node:crypto";
import type { Binding } from "../../../../scripts/lib/account/reads.ts";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly contentType: string;
}

/** An error that a request gets instead of its answer. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export const refuse = (status: number, code: number, message: string): Refusal => ({ status, code, message });
export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "status" in value && "code" in value && "message" in value;

export const notFound = refuse(404, 7003, "No route for that URI");

/** Lists that setup reads are answered in pages of two, so that it can't read the first one only. */
const testPageSize = 2;

const isPaged = (result: unknown, { query }: Request): result is unknown[] =>
  Array.isArray(result) && query.has("per_page");

export function paged(result: unknown, request: Request): unknown {
  if (!isPaged(result, request)) return result;
  const start = (Number(request.query.get("page")) - 1) * testPageSize;
  return result.slice(start, start + testPageSize);
}

/** Not every list of the real one says how many pages it has. */
export const pagesOf = (result: unknown, request: Request) =>
  isPaged(result, request) ? { page: Number(request.query.get("page")), per_page: testPageSize } : undefined;

interface SigningSecrets {
  /** How many are encrypted with each secret of the service, by its name. */
  readonly encrypted: Map<string, number>;
  readonly hasFailingLedger: boolean;
}

/** Answers as the service that encrypts signing secrets with its newest secret; the first request finds none. */
export function reEncrypt(
  { encrypted, hasFailingLedger }: SigningSecrets,
  script: readonly Binding[],
  cursor: string | null,
) {
  const names = script.map(({ name }) => name).filter((name) => name.startsWith("WEBHOOK_SECRET"));
  const newest = names.sort((one, other) => other.length - one.length)[0] ?? "";
  const counts = { reEncrypted: 0, unreadable: 0, failed: [] as string[] };
  if (cursor === null) return { ...counts, nextCursor: "next" };
  if (hasFailingLedger) return { ...counts, failed: [randomUUID()], nextCursor: null };
  for (const [name, count] of encrypted) {
    if (name === newest) continue;
    counts[names.includes(name) ? "reEncrypted" : "unreadable"] += count;
    if (!names.includes(name)) continue;
    encrypted.delete(name);
    encrypted.set(newest, (encrypted.get(newest) ?? 0) + count);
  }
  return { ...counts, nextCursor: null };
}

/** Answers as the service that opens the ledgers of two pages of workspaces. */
export const openLedgers = (
  { hasFailingLedger }: Pick<SigningSecrets, "hasFailingLedger">,
  cursor: string | null,
) =>
  cursor === null
    ? { opened: 20, failed: [], nextCursor: "next" }
    : { opened: hasFailingLedger ? 2 : 3, failed: hasFailingLedger ? [randomUUID()] : [], nextCursor: null };
