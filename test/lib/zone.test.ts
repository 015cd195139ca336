import { describe, expect, it } from "vitest";
import { formatDay, parseDay } from "../../src/lib/time/calendar.ts";
import { Zone } from "../../src/lib/time/zone.ts";
import { runs, sample } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";

const minute = 60_000;
const hour = 60 * minute;

const iso = (time: number) => `${new Date(time).toISOString().slice(0, 16)}Z`;

/** The hours of a day, `1.5` for a slot that starts at half past one. */
function hoursOf(name: string, date: string): string {
  const zone = new Zone(name);
  return zone
    .hoursOf(parseDay(date))
    .map((slot) => {
      const past = Number(zone.format(slot.start).slice(14, 16)) / 60;
      return String(slot.hour + past);
    })
    .join(" ");
}

const day = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23";

describe("the hours of a day", () => {
  it.each([
    ["Europe/Berlin", "2026-07-01", day],
    ["Europe/Berlin", "2026-03-29", day.replace(" 2 ", " ")],
    ["Europe/Berlin", "2026-10-25", day.replace(" 2 ", " 2 2 ")],
    ["America/New_York", "2026-03-08", day.replace(" 2 ", " ")],
    ["America/New_York", "2026-11-01", day.replace(" 1 ", " 1 1 ")],
    // Half an hour forward at 2:00, and back at 2:00.
    ["Australia/Lord_Howe", "2026-10-04", day.replace(" 2 ", " 2.5 ")],
    ["Australia/Lord_Howe", "2026-04-05", day.replace(" 1 ", " 1 1.5 ")],
    ["Asia/Kathmandu", "2026-10-25", day],
    // A quarter of an hour forward at midnight.
    ["Asia/Kathmandu", "1986-01-01", day.replace("0 ", "0.25 ")],
    ["Asia/Kolkata", "2026-10-25", day],
    ["Australia/Eucla", "2026-10-25", day],
    // Until 2011 the clocks changed at 0:01.
    ["America/St_Johns", "2026-11-01", day.replace(" 1 ", " 1 1 ")],
    ["America/St_Johns", "2011-03-13", day.replace("0 1 ", `0 ${1 + 1 / 60} `)],
    ["America/St_Johns", "2010-11-06", day],
    ["America/St_Johns", "2010-11-07", `0 ${23 + 1 / 60} ${day}`],
    ["Pacific/Chatham", "2026-09-27", day.replace(" 2 3 ", " 2 3.75 ")],
    ["Pacific/Chatham", "2026-04-05", day.replace(" 3 ", " 3 2.75 3 ")],
    ["Africa/Cairo", "2026-04-24", day.replace("0 ", "")],
    ["Africa/Cairo", "2026-10-29", `${day} 23`],
    ["Africa/Casablanca", "2026-02-15", day.replace(" 2 ", " 2 2 ")],
    ["Asia/Beirut", "2026-03-29", day.replace("0 ", "")],
    ["Asia/Beirut", "2026-10-24", `${day} 23`],
    ["America/Sao_Paulo", "2018-11-04", day.replace("0 ", "")],
    ["Antarctica/Troll", "2026-10-25", day.replace(" 1 2 ", " 1 2 1 2 ")],
    // The clock went back from 2:00 to 23:00 of the day before.
    ["Antarctica/Casey", "2010-03-05", `0 1 23 ${day}`],
    ["Pacific/Apia", "2011-12-29", day],
    ["Pacific/Apia", "2011-12-30", ""],
    ["Pacific/Apia", "2011-12-31", day],
    ["Pacific/Kwajalein", "1993-08-21", ""],
    ["UTC", "9999-12-31", day],
    ["Europe/Berlin", "9999-07-01", day],
  ])("of %s, %s", (name, date, hours) => {
    expect(hoursOf(name, date)).toBe(hours);
  });
});

it.each([
  ["UTC", "2026-10-25", "2026-10-25T00:00Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00Z"],
  ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00Z"],
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00Z"],
  ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00Z"],
  ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00Z"],
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00Z"],
  ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00Z"],
  ["America/St_Johns", "2010-11-07", "2010-11-07T02:30Z"],
  ["Australia/Eucla", "2026-10-25", "2026-10-24T15:15Z"],
])("a day of %s, %s, starts at %s", (name, date, start) => {
  expect(iso(new Zone(name).startOf(parseDay(date)))).toBe(start);
});

it.each([
  ["Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25T02:59:59+02:00", 2],
  ["Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00+01:00", 3],
  ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00", 2],
  ["America/St_Johns", "2026-11-01T12:00:00Z", "2026-11-01T08:30:00-03:30", 9],
  ["America/St_Johns", "2010-11-07T02:31:00Z", "2010-11-06T23:01:00-03:30", 1],
  ["Asia/Kathmandu", "2026-11-01T18:14:59Z", "2026-11-01T23:59:59+05:45", 23],
  ["UTC", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00+00:00", 12],
  ["Africa/Monrovia", "1970-01-01T12:00:00Z", "1970-01-01T11:16:00-00:44", 11],
])("in %s, %s is formatted as %s, in slot %i", (name, time, formatted, slot) => {
  const zone = new Zone(name);
  const instant = Date.parse(time);
  expect(zone.format(instant)).toBe(formatted);
  expect(Date.parse(formatted)).toBe(instant);
  expect(zone.slotOf(instant).slot).toBe(slot);
  expect(zone.offsetAt(instant)).toBe((Date.parse(`${formatted.slice(0, 19)}Z`) - instant) / minute);
});

it("an unknown time zone is refused", () => {
  expect(() => new Zone("Europe/Nowhere")).toThrow(RangeError);
});

it("a time that is not a number is refused", () => {
  expect(() => new Zone("UTC").dayOf(Number.NaN)).toThrow(RangeError);
});

/** The wall clock of a zone as `Intl` has it, in milliseconds as if it were UTC. */
function wallClock(format: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const seconds = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return seconds + (((time % 1000) + 1000) % 1000);
}

const dateOf = (wall: number) => Math.floor(wall / (24 * hour));

/** The latest date that the clock has shown, from what it shows each minute of the four hours before. */
function latestDate(format: Intl.DateTimeFormat, time: number): number {
  const now = wallClock(format, time);
  if (wallClock(format, time - 4 * hour) === now - 4 * hour) return dateOf(now);
  const before = Array.from({ length: 240 }, (_, i) => dateOf(wallClock(format, time - i * minute)));
  return Math.max(...before);
}

it("days and slots are those of Intl, in every time zone", () => {
  const random = new SeededRandom(20_261_122);
  const end = Math.floor(Date.UTC(2100, 0) / 1000);
  for (const name of [...sample(Intl.supportedValuesOf("timeZone"), 9), "UTC"]) {
    const zone = new Zone(name);
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const seen = new Set<number>();
    const check = (time: number) => {
      const where = `${name} ${iso(time)}`;
      const wall = wallClock(format, time);
      const { day: number, slot } = zone.slotOf(time);
      expect(number, where).toBe(latestDate(format, time));
      expect(zone.dayOf(time), where).toBe(number);
      const [start, next] = [zone.startOf(number), zone.startOf(number + 1)];
      expect(start <= time && time < next, where).toBe(true);

      const slots = zone.hoursOf(number);
      const starts = [...slots.map((each) => each.start), next];
      expect(starts[0], where).toBe(start);
      for (const [i, each] of seen.has(number) ? [] : slots.entries()) {
        const until = starts[i + 1] ?? 0;
        expect(until > each.start, where).toBe(true);
        const [first, last] = [wallClock(format, each.start), wallClock(format, until - 1)];
        // Within a slot, the clock runs on and stays in one hour.
        expect(last - first, where).toBe(until - 1 - each.start);
        expect(Math.floor(first / hour), where).toBe(Math.floor(last / hour));
        expect(Math.floor(first / hour) % 24, where).toBe(each.hour);
        // A slot starts no later than it must.
        const previous = wallClock(format, each.start - 1);
        const mustStart = first % hour === 0 || first - previous !== 1 || i === 0;
        expect(mustStart, where).toBe(true);
      }
      seen.add(number);
      expect((starts[slot] ?? Infinity) <= time && time < (starts[slot + 1] ?? 0), where).toBe(true);
      if (name !== "Africa/Monrovia" || time > Date.UTC(1972, 1)) {
        expect(zone.offsetAt(time) * minute, where).toBe(wall - time);
      }
      expect(formatDay(dateOf(wall)), where).toBe(zone.format(time).slice(0, 10));
    };
    for (let i = 0; i < runs(2, 400); i += 1) check(random.below(end) * 1000 + random.below(1000));
    // The changes of the clock in some years, found by steps of a week.
    for (let i = 0; i < runs(1, 20); i += 1) {
      const year = Date.UTC(1970 + random.below(130), 0, 1 + random.below(7));
      for (let week = 0; week < 52; week += 1) {
        let [before, after] = [year + week * 168 * hour, year + (week + 1) * 168 * hour];
        const offset = wallClock(format, before) - before;
        if (wallClock(format, after) - after === offset) continue;
        while (after - before > 1) {
          const middle = Math.floor((before + after) / 2);
          if (wallClock(format, middle) - middle === offset) before = middle;
          else after = middle;
        }
        for (const shift of [-hour, -1, 0, 1, 30 * minute, hour, 24 * hour]) check(after + shift);
      }
    }
  }
});
