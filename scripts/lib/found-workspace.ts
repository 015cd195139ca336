import { createHash } from "node:crypto";
import type { Plan } from "../../src/contract/plans.ts";
import type { KeyType, Scope } from "../../src/contract/resources/enums.ts";
import type { Role } from "../../src/contract/roles.ts";
import type { Database } from "./catalogue.ts";

/** A workspace that local tools put into a catalogue: the demo, the example company and those of benchmarks. */
export interface NewWorkspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly requestsPerMinute?: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly keys: readonly NewKey[];
  readonly owner: {
    readonly id: string;
    /** The identity provider's issuer, and its id of the person. */
    readonly issuer: string;
    readonly subject: string;
    readonly name?: string;
    readonly session?: NewSession;
  };
}

/** Times are epoch milliseconds. */
interface NewSession {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A member besides the owner. */
interface NewMember {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  readonly session: NewSession;
}

/** Adds people to a workspace. @param at when they joined, epoch milliseconds */
export async function addMembers(
  db: Database,
  workspaceId: string,
  members: readonly NewMember[],
  at: number,
): Promise<void> {
  await db.batch(
    members.flatMap(({ id, issuer, subject, name, role, session }) => [
      db
        .prepare("INSERT INTO users (id, issuer, subject, name, created_at) VALUES (?, ?, ?, ?, ?)")
        .bind(id, issuer, subject, name, at),
      db
        .prepare("INSERT INTO members (user_id, workspace_id, role, created_at) VALUES (?, ?, ?, ?)")
        .bind(id, workspaceId, role, at),
      insertSession(db, id, session),
    ]),
  );
}

const insertSession = (db: Database, userId: string, { id, createdAt, expiresAt }: NewSession) =>
  db
    .prepare("INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
    .bind(id, userId, createdAt, expiresAt);

interface NewKey {
  readonly id: string;
  readonly name: string;
  /** The key itself, `sk_live_…` or `pk_live_…`. */
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly origins?: readonly string[];
}

/**
 * Puts a workspace with its keys and its owner into the catalogue. If it is there already, updates what contains a
 * port: the origins of keys and the owner's issuer.
 */
export async function foundWorkspace(
  db: Database,
  { id, name, plan, requestsPerMinute, createdAt, keys, owner }: NewWorkspace,
): Promise<void> {
  const { session } = owner;
  await db.batch([
    db
      .prepare(
        `INSERT INTO workspaces (id, name, plan, requests_per_minute, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      )
      .bind(id, name, plan, requestsPerMinute ?? null, createdAt),
    ...keys.map((key) => insertKey(db, id, key, createdAt)),
    db
      .prepare(
        `INSERT INTO users (id, issuer, subject, name, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET issuer = excluded.issuer`,
      )
      .bind(owner.id, owner.issuer, owner.subject, owner.name ?? null, createdAt),
    db
      .prepare(
        "INSERT INTO members (user_id, workspace_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      )
      .bind(owner.id, id, createdAt),
    ...(session === undefined ? [] : [insertSession(db, owner.id, session)]),
  ]);
}

function insertKey(
  db: Database,
  workspaceId: string,
  { id, name, key, scopes, origins = [] }: NewKey,
  at: number,
) {
  const type: KeyType = key.startsWith("pk_") ? "publishable" : "secret";
  return db
    .prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (digest) DO UPDATE SET origins = excluded.origins`,
    )
    .bind(
      ...[id, workspaceId, name, type, JSON.stringify(scopes), JSON.stringify(origins)],
      ...[createHash("sha256").update(key).digest("hex"), key.slice(0, 8), key.slice(-4), at],
    );
}
