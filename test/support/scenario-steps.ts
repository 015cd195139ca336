import fc from "fast-check";
import { regions } from "../../src/protocol/regions.ts";

const edge = fc.nat(3);
const resource = fc.nat(2);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
/** A step of a scenario. */
export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, resource }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redirect" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const), edge, resource }) },
  {
    // A request whose isolate dies after some calls of its bindings, perhaps repeated with equal values.
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("dies" as const),
      edge,
      resource,
      change: fc.constantFrom("redirect" as const, "pause" as const, "remove" as const, "restore" as const),
      calls: fc.nat(20),
      isRepeated: fc.boolean(),
    }),
  },
  {
    // A change that is answered while a scan waits for KV.
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("scanDuringChange" as const),
      edge,
      resource,
      milliseconds: fc.constantFrom(0, 400, 1001, 2500),
    }),
  },
  {
    // Two edges, perhaps of one colo, that are scanned again and again while a third one makes a change.
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("busy" as const),
      edge,
      resource,
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
/** The edge that gets a request, and the code or page that it is about. */
export type Target = { readonly edge: number; readonly resource: number };
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
