import { describe, expect, it } from "vitest";
import { fromLocalTime, toLocalTime } from "../../src/lib/time/local-time.ts";
import { Zone } from "../../src/lib/time/zone.ts";

describe("a time on the wall clock", () => {
  it.each(["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"])(
    "is read as it is shown in %s, on days with a change of the clock, too",
    (name) => {
      const zone = new Zone(name);
      const [halfHour, hour] = [30 * 60_000, 60 * 60_000];
      // Every half hour where the clock changes within a day, else some hours.
      const isChanging = (time: number) =>
        toLocalTime(time - 24 * hour, zone).slice(11) !== toLocalTime(time + 24 * hour, zone).slice(11);
      const next = (time: number) => time + (isChanging(time) ? halfHour : 13 * halfHour);
      for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time = next(time)) {
        const shown = toLocalTime(time, zone);
        const read = fromLocalTime(shown, zone) ?? 0;
        expect([shown, toLocalTime(read, zone)]).toEqual([shown, shown]);
        expect(Math.abs(read - time)).toBeLessThanOrEqual(hour);
      }
    },
  );

  it("is an instant", () => {
    const zone = new Zone("Europe/Berlin");
    expect(fromLocalTime("2026-12-24T18:00", zone)).toBe(Date.UTC(2026, 11, 24, 17));
    expect(fromLocalTime("2026-07-01T00:30", zone)).toBe(Date.UTC(2026, 5, 30, 22, 30));
  });

  it.each(["", "tomorrow", "2026-13-01T00:00", "2026-01-01", "2026-01-01T25:00", "2026-01-01T10:00Z"])(
    "is not %j",
    (text) => {
      expect(fromLocalTime(text, new Zone("UTC"))).toBeNull();
    },
  );
});
