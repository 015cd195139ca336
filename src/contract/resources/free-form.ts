import { limits } from "../limits.ts";
import { wellFormed } from "./text.ts";

/** Rules for objects whose properties the client chooses. */

const { bytes, depth } = limits.freeForm;

const utf8 = new TextEncoder();

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether objects and arrays have at most `depth` levels. Not recursive, because a hostile body would exhaust the stack. */
function isShallow(value: object): boolean {
  let level = [value];
  for (let passed = 0; level.length > 0; passed += 1) {
    if (passed === depth) return false;
    level = level.flatMap((each) => Object.values(each).filter(isObject));
  }
  return true;
}

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (!isObject(value)) return true;
  return Object.entries(value).every(
    ([key, each]: [string, unknown]) => key.isWellFormed() && isWellFormed(each),
  );
};

const isSmall = (value: object): boolean => utf8.encode(JSON.stringify(value)).length <= bytes;

/** The arguments of `refine`, in their order: the first ends the checks, since the others are recursive. */
export const shallow = [isShallow, { error: `must be at most ${depth} levels deep`, abort: true }] as const;
export const wellFormedText = [isWellFormed, wellFormed[1]] as const;
export const small = [isSmall, `must be at most ${bytes} bytes of JSON`] as const;
