import fc from "fast-check";
import { regions } from "../../../src/protocol/regions.ts";
import type { Change } from "./scenario-requests.ts";

const edge = fc.nat(3);
/** Two codes and a page. */
const resource = fc.nat(2);
/** Their workspace. */
export const workspaceIndex = 3;
const change = (...changes: Change[]) => fc.constantFrom(...changes);
/** Changes of a code's life span, fallback and campaign parameters. */
const lifeSpanChanges = [
  "open",
  "expire",
  "unschedule",
  "setFallback",
  "removeFallback",
  "tag",
  "untag",
] as const;
const anyChange = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      change: change("redirect", "redirect", "pause", "remove", "restore", "suspend", "lift"),
      resource,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ change: change(...lifeSpanChanges), resource: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ change: change("suspend", "lift"), resource: fc.constant(workspaceIndex) }),
  },
);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
/** A step of a scenario. */
export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, resource }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      edge,
      resource,
      change: change("redirect", "redirect", "redirect", "pause", "resume", "remove", "restore"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      edge,
      resource: fc.nat(1),
      change: change(...lifeSpanChanges),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      edge,
      resource: fc.nat(workspaceIndex),
      change: change("suspend", "lift"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race" as const), edge, resource }) },
  {
    // A new destination and a suspension of the same code or page, or of the workspace, at the same time.
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("raceSuspension" as const),
      edge,
      resource,
      ofWorkspace: fc.boolean(),
    }),
  },
  {
    // A request whose isolate dies after some calls of its bindings, possibly repeated with equal values.
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("dies" as const),
      edge,
      changed: anyChange,
      calls: fc.nat(20),
      isRepeated: fc.boolean(),
    }),
  },
  {
    // A bulk update of both codes, whose consumer may die after some calls of its bindings.
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("bulk" as const),
      edge,
      change: change("redirect", "redirect", "pause", "resume", "remove"),
      calls: fc.option(fc.nat(60), { nil: undefined }),
    }),
  },
  {
    // A change that is answered while a scan waits for KV.
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("scanDuringChange" as const),
      edge,
      changed: anyChange,
      milliseconds: fc.constantFrom(0, 400, 1001, 2500),
    }),
  },
  {
    // Two edges, possibly in one colo, that are scanned repeatedly while a third one makes a change.
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("busy" as const),
      edge,
      changed: anyChange,
      changeAfter: fc.nat(3),
      pace: fc.constantFrom(300, 501, 600, 900),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("feedReadsTake" as const),
      milliseconds: fc.constantFrom(0, 100, 240),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      milliseconds: fc.constantFrom(1, 200, 501, 999, 1000, 1001, 5000, 10_001, 30_000, 61_000, 600_001),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("putFails" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("publishFails" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("feedOut" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("feedOverload" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repairsFail" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), edge }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("evict" as const), edge }) },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
