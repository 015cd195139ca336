import fc from "fast-check";
import { Comparison, Dimension, Interval } from "../../../src/contract/resources/scans/analytics.ts";
import { userAgents } from "./counted-scans.ts";

/** Days around clock changes: by an hour, by half an hour, and by a day, which Samoa skipped. */
const changes = ["2025-03-30", "2025-10-26", "2025-03-09", "2025-11-02", "2025-04-06", "2011-12-30"];
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Africa/Cairo",
];
const places = [
  [null, null],
  ["DE", null],
  ["DE", "Köln"],
  ["FR", null],
  ["US", "Paris"],
  ["FR", "Paris"],
] as const;
const referrers = [null, "news.example", "xn--mnchen-3ya.example"];

const minute = 60_000;
export const dayLength = 24 * 60 * minute;

const scan = fc.record({
  code: fc.nat(2),
  /** Milliseconds from the clock change. */
  at: fc.oneof(
    fc.integer({ min: -4 * dayLength, max: 4 * dayLength }),
    fc.integer({ min: -16 * 60, max: 16 * 60 }).map((minutes) => minutes * minute),
  ),
  visitor: fc.nat(5),
  agent: fc.nat(userAgents.length - 1),
  place: fc.constantFrom(...places),
  referrer: fc.constantFrom(...referrers),
  prefetch: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("record" as const),
      scans: fc.array(scan, { minLength: 1, maxLength: 15 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat" as const), first: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("changeZone" as const), zone: fc.constantFrom(...zones) }),
  },
);
const query = fc.record({
  /** A code; three for those with a tag; four for the workspace. */
  scope: fc.nat(4),
  first: fc.integer({ min: -6, max: 5 }),
  days: fc.integer({ min: 1, max: 12 }),
  interval: fc.constantFrom(...Interval.options),
  dimensions: fc.subarray([...Dimension.options]),
  limit: fc.constantFrom(1, 2, 3, 500),
  compare: fc.option(fc.constantFrom(...Comparison.options), { nil: undefined }),
});
/** Scans around a clock change, and the reports to request then. */
export const history = fc.record({
  change: fc.constantFrom(...changes),
  steps: fc.array(step, { minLength: 2, maxLength: 10 }),
  queries: fc.array(query, { minLength: 1, maxLength: 4 }),
});
/** A step of a history. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** A report to request. */
export type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;
