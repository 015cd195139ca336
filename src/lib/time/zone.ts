import { BoundedMap } from "../bounded-map.ts";
import { dayLength } from "./calendar.ts";

const second = 1000;
const minute = 60 * second;
const hourLength = 60 * minute;

/** More than any offset from UTC, in milliseconds. Local midnight is at most this far from midnight UTC. */
const maxOffset = 16 * hourLength;

/** A slot takes about 40 bytes, so a zone's cache is at most about a megabyte. */
const maxCachedDays = 1024;

/**
 * The offset is read at the start of each stretch of this length, and within stretches at whose ends it differs. Two
 * changes in a stretch that cancel out go unnoticed; since 1970 no zone has had two within five days.
 */
const stretchLength = 4 * dayLength;
const maxCachedStretches = 1024;

/** An hour of the wall clock, or its part before or after a change of the offset. */
export interface HourSlot {
  /** Its first instant, epoch milliseconds. It ends where the next slot or day starts. */
  readonly start: number;
  /** The wall clock's hour, 0 to 23. */
  readonly hour: number;
}

/** A time's civil day, as in `calendar.ts`, and the index of its slot in `hoursOf(day)`. */
export interface DaySlot {
  readonly day: number;
  readonly slot: number;
}

/** A stretch of time with a constant offset, in milliseconds. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

interface ZoneDay {
  readonly day: number;
  readonly start: number;
  readonly end: number;
  readonly slots: readonly (HourSlot & { readonly offset: number })[];
}

/**
 * The civil days and hours of a time zone, for the years 1970 to 9999. Times are epoch milliseconds.
 *
 * A day starts at its first instant and ends where the next day starts. If a clock set back just after midnight shows
 * the previous date again, those minutes belong to the day that has already started.
 */
export class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new BoundedMap<number, ZoneDay>(maxCachedDays);
  /** The spans of each stretch, by its number since the epoch. */
  readonly #stretches = new BoundedMap<number, readonly Span[]>(maxCachedStretches);
  /** The day of the latest look-up, which is usually also the next one's. */
  #latest: ZoneDay;

  /** @param name an IANA name, as `isTimeZone` accepts. @throws RangeError if there is no such zone */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    this.#latest = this.#day(0);
  }

  /** Returns the civil day of a time. */
  dayOf(time: number): number {
    return this.#dayAt(time).day;
  }

  /**
   * Returns the first instant of a civil day, which isn't midnight if the clock skips that. A day that the zone's
   * calendar skips starts when the next day starts.
   */
  startOf(day: number): number {
    return this.#day(day).start;
  }

  /**
   * Returns the hours of a civil day in sequence: a slot starts at each full hour of the wall clock and at each change
   * of the offset. Most days have 24; days with a clock change have more or fewer, a skipped day none.
   */
  hoursOf(day: number): readonly HourSlot[] {
    return this.#day(day).slots;
  }

  /** Returns the civil day of a time, and the slot among the day's hours. */
  slotOf(time: number): DaySlot {
    const day = this.#dayAt(time);
    return { day: day.day, slot: slotIndex(day, time) };
  }

  /**
   * Returns the offset from UTC in minutes, positive to the east; rounded if it includes seconds, as in Liberia until
   * 1972.
   */
  offsetAt(time: number): number {
    const day = this.#dayAt(time);
    return Math.round((day.slots[slotIndex(day, time)]?.offset ?? 0) / minute);
  }

  /** Formats a time as ISO 8601 with its offset, in whole seconds: `2026-10-25T02:00:00+01:00`. */
  format(time: number): string {
    const offset = this.offsetAt(time);
    const wallClock = new Date(time + offset * minute).toISOString().slice(0, -".000Z".length);
    const distance = Math.abs(offset);
    const hours = String(Math.floor(distance / 60)).padStart(2, "0");
    return `${wallClock}${offset < 0 ? "-" : "+"}${hours}:${String(distance % 60).padStart(2, "0")}`;
  }

  #dayAt(time: number): ZoneDay {
    let found = this.#latest;
    if (time >= found.start && time < found.end) return found;
    found = this.#day(found.day + Math.floor((time - found.start) / dayLength));
    while (time < found.start) found = this.#day(found.day - 1);
    while (time >= found.end) found = this.#day(found.day + 1);
    this.#latest = found;
    return found;
  }

  #day(day: number): ZoneDay {
    const cached = this.#days.get(day);
    if (cached !== undefined) return cached;
    const start = this.#firstInstant(day);
    const end = this.#firstInstant(day + 1);
    const slots: ZoneDay["slots"][number][] = [];
    for (const span of this.#spans(start, end)) {
      let time = span.start;
      while (time < span.end) {
        const sinceMidnight = modulo(time + span.offset, dayLength);
        slots.push({ start: time, hour: Math.floor(sinceMidnight / hourLength), offset: span.offset });
        time = Math.min(span.end, time + hourLength - (sinceMidnight % hourLength));
      }
    }
    const computed = { day, start, end, slots };
    this.#days.set(day, computed);
    return computed;
  }

  /** Returns the first time at which the wall clock shows the day or a later one. */
  #firstInstant(day: number): number {
    const midnight = day * dayLength;
    for (const span of this.#spans(midnight - maxOffset, midnight + maxOffset)) {
      const reached = Math.max(span.start, midnight - span.offset);
      if (reached < span.end) return reached;
    }
    throw new RangeError("The offset of a time zone is out of range.");
  }

  /** Divides a range, in whole seconds, at the changes of the offset. */
  #spans(start: number, end: number): Span[] {
    const spans: Span[] = [];
    for (let n = Math.floor(start / stretchLength); n * stretchLength < end; n += 1) {
      for (const span of this.#stretch(n)) {
        const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
        if (from >= to) continue;
        const last = spans.at(-1);
        if (last?.offset === span.offset) spans[spans.length - 1] = { ...last, end: to };
        else spans.push({ start: from, end: to, offset: span.offset });
      }
    }
    return spans;
  }

  #stretch(n: number): readonly Span[] {
    const cached = this.#stretches.get(n);
    if (cached !== undefined) return cached;
    const end = (n + 1) * stretchLength;
    const spans: Span[] = [];
    const finalOffset = this.#readOffset(end);
    let from = n * stretchLength;
    let offset = this.#readOffset(from);
    while (offset !== finalOffset) {
      let before = from;
      let after = end;
      while (after - before > second) {
        const middle = before + Math.floor((after - before) / (2 * second)) * second;
        if (this.#readOffset(middle) === offset) before = middle;
        else after = middle;
      }
      spans.push({ start: from, end: after, offset });
      from = after;
      offset = this.#readOffset(from);
    }
    if (from < end) spans.push({ start: from, end, offset });
    this.#stretches.set(n, spans);
    return spans;
  }

  /** Returns the offset at a time in milliseconds, from a text that ends in `GMT`, `GMT+05:30` or `GMT-00:44:30`. */
  #readOffset(time: number): number {
    const text = this.#format.format(time);
    const sign = text.indexOf("GMT") + "GMT".length;
    if (sign === text.length) return 0;
    const [hours = 0, minutes = 0, seconds = 0] = text
      .slice(sign + 1)
      .split(":")
      .map(Number);
    const distance = hours * hourLength + minutes * minute + seconds * second;
    return text[sign] === "-" ? -distance : distance;
  }
}

/** Recently used zones, because their days and offsets are expensive to find. */
const keptZones = new BoundedMap<string, Zone>(16);

/** Returns the zone of a name, possibly a cached one. @throws RangeError if there is no such zone */
export function zoneOf(name: string): Zone {
  const kept = keptZones.get(name);
  if (kept !== undefined) return kept;
  const zone = new Zone(name);
  keptZones.set(name, zone);
  return zone;
}

function slotIndex({ start, slots }: ZoneDay, time: number): number {
  let index = Math.min(Math.floor((time - start) / hourLength), slots.length - 1);
  while (time < (slots[index]?.start ?? -Infinity)) index -= 1;
  while (time >= (slots[index + 1]?.start ?? Infinity)) index += 1;
  return index;
}

/** Returns the non-negative remainder. */
function modulo(value: number, divisor: number): number {
  const remainder = value % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}
