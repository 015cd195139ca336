/** The time of the isolate's last id, and the position of the id among those of that millisecond. */
const last = { time: 0, position: 0 };

/** Positions within a millisecond: 12 bits. */
const positions = 0x1000;

/**
 * Generates a UUIDv7: 48 bits of time, 12 bits that count up within a millisecond, 62 random bits. Text order is time
 * order, and within an isolate the order in which ids were generated. A few lines don't justify a package.
 * @param now epoch milliseconds
 */
export function newId(now: number): string {
  const random = crypto.randomUUID();
  const isSame = now === last.time;
  // Begins in the lower half, so that there is room to count up.
  last.position = isSame ? (last.position + 1) % positions : Number.parseInt(random.slice(0, 3), 16) >> 1;
  last.time = now;
  const time = now.toString(16).padStart(12, "0");
  const position = last.position.toString(16).padStart(3, "0");
  // A random UUID has its random and variant bits in the same places; time, version and position replace the rest.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${position}${random.slice(18)}`;
}

/** Returns the 32 hex digits of a UUID. */
export function idToHex(id: string): string {
  return id.replaceAll("-", "");
}

/** Returns a UUID from its 32 hex digits, in any case. */
export function idFromHex(digits: string): string {
  const hex = digits.toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the time in a UUIDv7, or in its 32 hex digits, as epoch milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id[8] === "-" ? id.slice(0, 8) + id.slice(9, 13) : id.slice(0, 12), 16);
}

/**
 * Returns the lowest possible 32 hex digits of a UUIDv7 created at this time. @param time epoch milliseconds, not
 * negative
 */
export function idsFrom(time: number): string {
  return time.toString(16).padStart(12, "0").padEnd(32, "0");
}

/** Returns the lowest possible UUIDv7 created at this time. @param time epoch milliseconds */
export const idAt = (time: number): string => idFromHex(idsFrom(Math.max(0, time)));

/** The length of a UUID, in characters. */
export const idLength = 36;

/** Returns whether text has the form of a UUID. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
