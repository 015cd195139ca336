import { expect, it } from "vitest";
import type * as z from "zod";
import { type HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { ApiKeyList } from "../../src/contract/resources/identity/keys.ts";
import { InvitationList, MemberList, NewInvitation } from "../../src/contract/resources/identity/members.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { Brand } from "../../src/contract/resources/images/brand.ts";
import { ReportingSettings } from "../../src/contract/resources/scans/analytics.ts";
import { WebhookList } from "../../src/contract/resources/webhooks/webhooks.ts";
import { roles } from "../../src/contract/roles.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { runs } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

type Fields = Readonly<Record<string, unknown>>;
type Seen = Readonly<Record<string, Fields>>;

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

/** The actions after which something isn't shown any more. */
const gone: ReadonlySet<string> = new Set([
  "webhook.deleted",
  "key.revoked",
  "logo.deleted",
  "member.removed",
  "invitation.revoked",
]);

/** The fields of something new that its history needn't tell. */
const defaults: Readonly<Record<string, Fields>> = { webhook: { status: "active" } };

/** The parts of the workspace that are observed. Its history also has the raised limits of its plan. */
const workspaceFields = new Set(["name", "plan", "timeZone", "keepScansDays", "suspended"]);

/** Tells on: how the workspace is seen after an entry. */
function tell(seen: Seen, { action, at, object: { kind, id }, changes }: HistoryEntry): Seen {
  const name = `${kind} ${id}`;
  const before = seen[name] ?? defaults[kind] ?? {};
  const after: Record<string, unknown> = { ...before };
  for (const [field, change] of Object.entries(changes)) {
    if (kind === "workspace" && !workspaceFields.has(field)) continue;
    const was = isEmpty(change.before) ? null : change.before;
    expect({ action, field, before: was }).toEqual({ action, field, before: before[field] ?? null });
    after[field] = change.after;
  }
  const isGone = gone.has(action) || (action === "key.rotated" && after.expiresAt === at);
  const { [name]: _, ...others } = seen;
  return isGone ? others : { ...others, [name]: given(after) };
}

const picture = (which: number) => dataUri(svg(`<circle cx="50" cy="50" r="${30 + which}"/>`));

it.each(Array.from({ length: runs(1, 100) }, (_, seed) => seed))(
  "the history explains every difference of settings, members, keys and webhooks in a random story (seed %i)",
  async (seed) => {
    const random = new SeededRandom(seed + 1);
    const below = (bound: number) => random.below(bound);
    const pick = <T>(values: readonly T[]): T => random.pick(values);
    const clock = new FakeClock();
    const service = new Service({ now: clock.now });
    // Reads everything all the time, so nobody changes their role.
    const owner = await service.session();
    const { workspaceId } = owner;
    const inWorkspace = { "x-workspace": workspaceId };
    const people = [
      owner,
      ...(await Promise.all(
        (["owner", "admin", "admin", "editor"] as const).map((role) => service.sessionIn(workspaceId, role)),
      )),
    ];
    const operator = `/operator/workspaces/${workspaceId}`;
    const invited: { readonly id: string; readonly token: string }[] = [];

    /** The id of one of a kind; where there is none, of nothing. */
    const idOf = (seen: Seen, kind: string): string => {
      const ids = Object.keys(seen)
        .filter((name) => name.startsWith(`${kind} `) && !name.endsWith(owner.userId))
        .map((name) => name.split(" ")[1] ?? "");
      return ids.length === 0 ? crypto.randomUUID() : pick(ids);
    };

    const send = (method: string, path: string, body?: object, by = pick(people)) =>
      by.send(method, `/developer/${path}`, body, inWorkspace);

    /** Changes that people and the operator make, each with other values when it is made again. */
    const changes: readonly ((seen: Seen) => Promise<Response>)[] = [
      () => send("POST", "keys", { name: `K${below(3)}`, type: "secret", scopes: ["qr:read"] }),
      (seen) => send("POST", `keys/${idOf(seen, "key")}/rotate`, { overlapHours: pick([0, 0, 5]) }),
      (seen) => send("DELETE", `keys/${idOf(seen, "key")}`),
      () =>
        send("POST", "webhooks", { url: `https://${pick(["a", "b"])}.example/x`, events: ["qr.created"] }),
      (seen) =>
        send(
          "PATCH",
          `webhooks/${idOf(seen, "webhook")}`,
          pick([
            { status: pick(["active", "paused"]) },
            { url: `https://${pick(["a", "b"])}.example/y` },
            { events: [pick(["qr.scanned", "qr.deleted"])] },
          ]),
        ),
      (seen) => send("POST", `webhooks/${idOf(seen, "webhook")}/rotate`),
      (seen) => send("DELETE", `webhooks/${idOf(seen, "webhook")}`),
      () => send("PATCH", "workspace", { name: `W${below(3)}` }),
      () => send("PATCH", "analytics", { timeZone: pick(["UTC", "Europe/Berlin", "Asia/Tokyo"]) }),
      () => send("PATCH", "analytics", { keepScansDays: pick([null, 90, 365]) }),
      () =>
        send("PATCH", "brand", {
          colors: pick([[], [{ hex: "#123456" }], [{ hex: "#654321", name: "Ink" }]]),
        }),
      () => send("POST", "brand/logos", { name: `L${below(2)}`, logo: picture(below(2)) }),
      (seen) => send("PATCH", `brand/logos/${idOf(seen, "logo")}`, { name: `M${below(3)}` }),
      (seen) => send("DELETE", `brand/logos/${idOf(seen, "logo")}`),
      (seen) => send("PATCH", `members/${idOf(seen, "member")}`, { role: pick(roles) }),
      (seen) => send("DELETE", `members/${idOf(seen, "member")}`),
      (seen) => send("POST", `members/${idOf(seen, "member")}/transfer`, undefined, pick(people.slice(1))),
      () => send("POST", "workspace/leave", undefined, pick(people.slice(1))),
      async () => {
        const response = await send("POST", "invitations", { role: pick(roles) });
        if (response.status === 201) {
          const { id, url } = NewInvitation.parse(await response.clone().json());
          invited.push({ id, token: url.split("/").at(-1) ?? "" });
        }
        return response;
      },
      (seen) => send("DELETE", `invitations/${idOf(seen, "invitation")}`),
      () => join(pick(invited), pick(people)),
      async () => join(pick(invited), await service.session()),
      () => service.operator.send("PUT", `${operator}/plan`, { plan: pick(["pro", "business"]) }),
      () =>
        service.operator.send("PUT", `${operator}/suspension`, {
          reason: pick(["Spam", "Unpaid"]),
          legalOrder: false,
        }),
      () => service.operator.send("DELETE", `${operator}/suspension`),
    ];

    /** The invitations that were accepted, which only the entry of the new member tells. */
    const accepted = new Set<string>();
    async function join(invitation: (typeof invited)[number] | undefined, person: SessionClient) {
      const response = await person.send("POST", `/developer/join/${invitation?.token ?? "unknown"}`);
      if (response.status === 200 && invitation !== undefined) {
        accepted.add(`invitation ${invitation.id}`);
        people.push(person);
      }
      return response;
    }

    const read = <S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>> =>
      owner.expect(200, schema, "GET", `/developer/${path}`, undefined, inWorkspace);

    const observe = async (): Promise<Seen> => {
      const { keys } = await read(ApiKeyList, "keys");
      const { webhooks } = await read(WebhookList, "webhooks");
      const { members } = await read(MemberList, "members");
      const { invitations } = await read(InvitationList, "invitations");
      const { name, plan, suspended } = await read(Workspace, "workspace");
      const { keepScansDays, rebuilding, ...reporting } = await read(ReportingSettings, "analytics");
      const timeZone = rebuilding?.timeZone ?? reporting.timeZone;
      const { colors, logos } = await read(Brand, "brand");
      const all: readonly (readonly [string, Fields])[] = [
        ...keys.map(
          ({ id, name, type, scopes, origins, expiresAt, replacedBy }) =>
            [`key ${id}`, { name, type, scopes, origins, expiresAt, replacedBy }] as const,
        ),
        ...webhooks.map(
          ({ id, url, events, mode, status, pausedReason }) =>
            [`webhook ${id}`, { url: new URL(url).origin, events, mode, status, pausedReason }] as const,
        ),
        ...members.map(({ id, role }) => [`member ${id}`, { role }] as const),
        ...invitations.map(({ id, role }) => [`invitation ${id}`, { role }] as const),
        ...logos.map(({ id, name }) => [`logo ${id}`, { name }] as const),
        [`workspace ${workspaceId}`, { name, plan, timeZone, keepScansDays, suspended }],
        [`brand ${workspaceId}`, { colors }],
      ];
      return Object.fromEntries(all.map(([name, fields]) => [name, given(fields)]));
    };

    const begin = await observe();
    const moments: { readonly at: number; readonly seen: Seen }[] = [];
    let seen = begin;
    for (let i = 0; i < runs(12, 60); i += 1) {
      // Beyond the minute in which requests are counted.
      clock.advance(60_000);
      const make = pick(changes);
      const answers = await Promise.all(Array.from({ length: pick([1, 1, 2, 3]) }, () => make(seen)));
      for (const { status } of answers) expect(status).toBeLessThan(500);
      if (below(8) === 0) await forwardEvents(service.deps, workspaceId);
      seen = await observe();
      moments.push({ at: clock.now(), seen });
    }

    const { items, nextCursor } = await read(HistoryList, "history?limit=200");
    expect(nextCursor).toBeNull();
    const entries = items.toReversed();
    let told = begin;
    for (const { at, seen } of moments) {
      while (entries[0] !== undefined && Date.parse(entries[0].at) <= at) {
        told = tell(told, entries[0]);
        entries.shift();
      }
      const isOpen = ([name]: readonly [string, Fields]) => !accepted.has(name);
      expect(Object.fromEntries(Object.entries(told).filter(isOpen))).toEqual(
        Object.fromEntries(Object.entries(seen).filter(isOpen)),
      );
    }
    expect(entries).toEqual([]);
  },
  runs(120_000, 900_000),
);
