import { and, asc, eq, gt } from "drizzle-orm";
import type { Plan } from "../../contract/plans.ts";
import { catalogue } from "../catalogue.ts";
import { foldedName } from "../codes/codes.ts";
import { joinReader } from "../rows.ts";
import { members, sessions, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";

/** A user's OpenID claims; issuer and subject together identify the user. */
export interface UserProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

const foundMember = joinReader({
  userId: users.id,
  name: users.name,
  email: users.email,
  signedOutAt: users.signedOutAt,
  role: members.role,
  postponed: members.postponed,
  workspaceId: workspaces.id,
  workspaceName: workspaces.name,
  logoId: workspaces.logoId,
  plan: workspaces.plan,
  requestsPerMinute: workspaces.requestsPerMinute,
  planVersion: workspaces.planVersion,
  liveCodes: workspaces.liveCodes,
  creations: workspaces.creations,
  creationsDay: workspaces.creationsDay,
  suspended: workspaces.suspended,
  deletion: workspaces.deletion,
});

/** Of the workspace, and of the session; null without one. */
interface OfMember {
  readonly storedBytes: number;
  readonly storageLimit: number;
  readonly sessionUsedAt: number | null;
  readonly authenticatedAt: number | null;
}

export type MemberRow = ReturnType<typeof foundMember.read> & OfMember;

const memberSql = (sessionUsedAt: string, authenticatedAt: string) =>
  `SELECT ${foundMember.columns}, stored_bytes + job_bytes AS storedBytes, storage_limit AS storageLimit,
     ${sessionUsedAt} AS sessionUsedAt, ${authenticatedAt} AS authenticatedAt
   FROM users JOIN members ON members.user_id = users.id JOIN workspaces ON workspaces.id = members.workspace_id`;

const ofSession = `${memberSql("sessions.last_used_at", "sessions.authenticated_at")}
  JOIN sessions ON sessions.user_id = users.id WHERE sessions.id = ?1 AND sessions.expires_at > ?2`;
const ofSubject = `${memberSql("NULL", "NULL")} WHERE users.issuer = ?1 AND users.subject = ?2`;
const inWorkspace = " AND members.workspace_id = ?3";
const lastChosenFirst = "members.chosen_at DESC, members.created_at, members.workspace_id LIMIT 1";

/** Returns the first row of such a statement; undefined without one. */
async function firstMember(statement: D1PreparedStatement): Promise<MemberRow | undefined> {
  const row = await statement.first<OfMember & Record<string, unknown>>();
  if (row === null) return undefined;
  const { storedBytes, storageLimit, sessionUsedAt, authenticatedAt } = row;
  return { ...foundMember.read(row), storedBytes, storageLimit, sessionUsedAt, authenticatedAt };
}

/**
 * Returns a session's user with the given workspace; by default with the one chosen in the session, or else the one
 * they chose last.
 * @param now epoch milliseconds
 * @returns undefined if the session has ended or expired, or the user isn't a member of it or has no workspace
 */
export function findMemberBySession(db: D1Database, sessionId: string, now: number, workspaceId?: string) {
  const order = `ORDER BY members.workspace_id = sessions.workspace_id DESC, ${lastChosenFirst}`;
  return firstMember(
    workspaceId === undefined
      ? db.prepare(`${ofSession} ${order}`).bind(sessionId, now)
      : db.prepare(`${ofSession}${inWorkspace} LIMIT 1`).bind(sessionId, now, workspaceId),
  );
}

/** Returns a user by the provider's issuer and subject, with a workspace as for `findMemberBySession`. */
export const findMemberBySubject = (db: D1Database, issuer: string, subject: string, workspaceId?: string) =>
  firstMember(
    workspaceId === undefined
      ? db.prepare(`${ofSubject} ORDER BY ${lastChosenFirst}`).bind(issuer, subject)
      : db.prepare(`${ofSubject}${inWorkspace} LIMIT 1`).bind(issuer, subject, workspaceId),
  );

/** Returns a session's user, who may have no workspace; undefined if the session has ended or expired. */
export async function findUserBySession(db: D1Database, sessionId: string, now: number) {
  const [row] = await catalogue(db)
    .select({
      userId: users.id,
      issuer: users.issuer,
      name: users.name,
      email: users.email,
      verifiedEmail: users.verifiedEmail,
      authenticatedAt: sessions.authenticatedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)));
  return row;
}

/** Returns a user, who may have no workspace, by the provider's issuer and subject; undefined if they are unknown. */
export async function findUserBySubject(db: D1Database, issuer: string, subject: string) {
  const [row] = await catalogue(db)
    .select({ userId: users.id, name: users.name, email: users.email, signedOutAt: users.signedOutAt })
    .from(users)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)));
  return row;
}

/**
 * Inserts a user, or updates an existing user's name and email. A user without a workspace gets a new one, unless they
 * are about to join another. This is one transaction, so the second of two simultaneous calls finds the first one's rows.
 * @param fresh ids, name, plan and time for inserted rows; the workspace is null for a person who is invited
 */
export async function insertUser(
  db: D1Database,
  profile: UserProfile,
  fresh: {
    userId: string;
    workspace: { readonly id: string; readonly name: string; readonly plan: Plan } | null;
    now: number;
  },
): Promise<void> {
  const { issuer, subject, name, email, emailVerified } = profile;
  const { userId, workspace, now } = fresh;
  const verifiedEmail = emailVerified ? (email?.toLowerCase() ?? null) : null;
  const user = db
    .prepare(
      `INSERT INTO users (id, issuer, subject, name, email, verified_email, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (issuer, subject) DO UPDATE
       SET name = coalesce(excluded.name, name), email = coalesce(excluded.email, email),
         verified_email = excluded.verified_email`,
    )
    .bind(userId, issuer, subject, name, email, verifiedEmail, now);
  if (workspace === null) {
    await user.run();
    return;
  }
  await db.batch([
    user,
    db
      .prepare(
        `INSERT INTO workspaces (id, name, name_folded, plan, created_at) SELECT ?, ?, ?, ?, ? FROM users
         WHERE issuer = ? AND subject = ? AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = users.id)`,
      )
      .bind(
        ...[workspace.id, workspace.name, foldedName(workspace.name), workspace.plan],
        ...[now, issuer, subject],
      ),
    db
      .prepare(
        `INSERT INTO members (user_id, workspace_id, created_at) SELECT users.id, workspaces.id, ?
         FROM users JOIN workspaces ON workspaces.id = ? WHERE issuer = ? AND subject = ?`,
      )
      .bind(now, workspace.id, issuer, subject),
  ]);
}

/** Returns the people of a workspace in the order in which they joined. */
export async function listMembers(db: D1Database, workspaceId: string, limit: number) {
  return catalogue(db)
    .select({ id: users.id, name: users.name, email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.workspaceId, workspaceId))
    .orderBy(asc(members.createdAt), asc(members.userId))
    .limit(limit);
}

/** Returns ids of the workspace's members. */
export async function listMemberIds(db: D1Database, workspaceId: string): Promise<string[]> {
  const rows = await catalogue(db)
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.workspaceId, workspaceId));
  return rows.map(({ userId }) => userId);
}

/** Returns a person's name and address. */
export async function findPerson(
  db: D1Database,
  userId: string,
): Promise<{ name: string | null; email: string | null } | undefined> {
  const [row] = await catalogue(db)
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}
