import { limits } from "../limits.ts";

/** Rules for objects whose properties the client chooses. */

const { bytes, depth } = limits.freeForm;

const utf8 = new TextEncoder();

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether objects and arrays are nested at most `depth` levels. Without recursion, which a hostile body could exhaust. */
function isShallow(value: object): boolean {
  let level = [value];
  for (let passed = 0; level.length > 0; passed += 1) {
    if (passed === depth) return false;
    level = level.flatMap((each) => Object.values<unknown>(each).filter(isObject));
  }
  return true;
}

const isSmall = (value: object): boolean => utf8.encode(JSON.stringify(value)).length <= bytes;

/** The arguments of `refine`, in their order: the first ends the checks, since the others are recursive. */
export const shallow = [isShallow, { error: `must be at most ${depth} levels deep`, abort: true }] as const;
export const small = [isSmall, `must be at most ${bytes} bytes of JSON`] as const;
