import fc from "fast-check";
import { expect, it } from "vitest";
import {
  addMonths,
  addYears,
  formatDay,
  isoFormatter,
  parseDay,
  startOfMonth,
  startOfWeek,
  weekday,
} from "../../src/lib/time/calendar.ts";

/** Days of the years 0000 to 9999. */
const days = fc.integer({ min: -719_528, max: 2_932_896 });

const shifted = (text: string, shift: (day: number) => number) => formatDay(shift(parseDay(text)));

it("days are counted from 1970-01-01", () => {
  expect(parseDay("1970-01-01")).toBe(0);
  expect(parseDay("1969-12-31")).toBe(-1);
  expect(parseDay("2026-10-25")).toBe(20_751);
  expect(formatDay(20_751)).toBe("2026-10-25");
  expect(formatDay(-719_528)).toBe("0000-01-01");
  expect(formatDay(2_932_896)).toBe("9999-12-31");
});

it("a day is parsed as it was formatted, and the next one is a day later", () => {
  fc.assert(
    fc.property(days, (day) => {
      expect(parseDay(formatDay(day))).toBe(day);
      const tomorrow = new Date(`${formatDay(day)}T00:00:00Z`);
      tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
      expect(formatDay(day + 1)).toBe(tomorrow.toISOString().slice(0, 10));
    }),
    { examples: [[59]] },
  );
});

it.each([
  "",
  "2026",
  "2026-10",
  "2026-10-25T00:00:00Z",
  "2026-02-29",
  "2100-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-01",
  "2026-1-1",
  "26-10-25",
  " 2026-10-25",
  "10/25/2026",
  "Oct 25, 2026",
  "+002026-10-25",
  "20261025",
])("%j is not a day", (text) => {
  expect(() => parseDay(text)).toThrow(RangeError);
});

it("a day of the month that a later month lacks becomes its last", () => {
  expect(shifted("2026-01-31", (day) => addMonths(day, 1))).toBe("2026-02-28");
  expect(shifted("2028-01-31", (day) => addMonths(day, 1))).toBe("2028-02-29");
  expect(shifted("2026-03-31", (day) => addMonths(day, -1))).toBe("2026-02-28");
  expect(shifted("2026-12-31", (day) => addMonths(day, 2))).toBe("2027-02-28");
  expect(shifted("2026-01-15", (day) => addMonths(day, -13))).toBe("2024-12-15");
  expect(shifted("2028-02-29", (day) => addYears(day, 1))).toBe("2029-02-28");
  expect(shifted("2028-02-29", (day) => addYears(day, -4))).toBe("2024-02-29");
  expect(shifted("2028-02-29", (day) => addYears(day, 72))).toBe("2100-02-28");
});

it("months are added as on a calendar", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: -200, max: 200 }), (day, months) => {
      const [year = 0, month = 0, date = 0] = formatDay(day).split("-").map(Number);
      const total = year * 12 + month - 1 + months;
      const prefix = `${Math.floor(total / 12)}-${String((total % 12) + 1).padStart(2, "0")}`;
      const added = formatDay(addMonths(day, months));
      expect(added.slice(0, 7)).toBe(prefix);
      const reached = Number(added.slice(8));
      if (reached !== date) {
        expect(reached).toBeLessThan(date);
        expect(formatDay(parseDay(added) + 1).slice(8)).toBe("01");
      }
    }),
  );
});

it("weeks start on Monday", () => {
  expect(weekday(parseDay("1970-01-01"))).toBe(3);
  expect(weekday(parseDay("2026-10-25"))).toBe(6);
  expect(shifted("2026-10-25", startOfWeek)).toBe("2026-10-19");
  expect(shifted("2026-10-26", startOfWeek)).toBe("2026-10-26");
  fc.assert(
    fc.property(days, (day) => {
      expect(weekday(day)).toBe((new Date(`${formatDay(day)}T00:00:00Z`).getUTCDay() + 6) % 7);
      expect(weekday(startOfWeek(day))).toBe(0);
      expect(day - startOfWeek(day)).toBe(weekday(day));
    }),
  );
});

it("months start on their first day", () => {
  fc.assert(
    fc.property(days, (day) => {
      expect(formatDay(startOfMonth(day))).toBe(`${formatDay(day).slice(0, 8)}01`);
    }),
  );
});

it("times are formatted as toISOString does, in any order and in any year", () => {
  const times = fc.array(fc.integer({ min: 0, max: 8.64e15 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 4e12 }), (spread, start) => {
      const format = isoFormatter();
      const ofOneDay = spread.map((time) => start + (time % 86_400_000));
      for (const time of [...ofOneDay, ...spread]) expect(format(time)).toBe(new Date(time).toISOString());
    }),
  );
});
