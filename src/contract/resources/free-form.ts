import * as z from "zod";
import { limits } from "../limits.ts";
import { problems } from "../text.ts";

const { bytes, depth } = limits.freeForm;

/**
 * The bounds of a JSON body's values. Free-form objects have their own: as many values as their size allows, when each is
 * as short as it can be.
 */
export const bodyBounds = {
  ...limits.bodyValues,
  parts: [{ names: ["advanced", "colorConfig"], values: bytes }],
} as const;

/** The bounds of a bulk request's values. */
export const bulkBounds = { each: bodyBounds, all: limits.bulkValues } as const;

const utf8 = new TextEncoder();

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Returns whether objects and arrays are nested at most `depth` levels deep. Not recursive, because a hostile body
 * would exhaust the stack.
 */
function isShallow(value: object): boolean {
  let level = [value];
  for (let passed = 0; level.length > 0; passed += 1) {
    if (passed === depth) return false;
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return true;
}

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (!isContainer(value)) return true;
  return Object.entries(value).every(
    ([key, each]: [string, unknown]) => key.isWellFormed() && isWellFormed(each),
  );
};

/** When SQLite merges objects, it ends a property's name at a NUL character. */
const hasMergeableNames = (value: unknown): boolean =>
  !isContainer(value) ||
  Object.entries(value).every(([key, each]) => !key.includes("\0") && hasMergeableNames(each));

/** Returns whether an object is within the size limit of free-form JSON. */
export const isSmall = (value: object): boolean => utf8.encode(JSON.stringify(value)).length <= bytes;

/**
 * The rules for an object whose properties the client chooses. The first one aborts, since the others are recursive.
 */
export const freeForm = <S extends z.ZodType<object>>(schema: S) =>
  schema
    .refine(isShallow, { error: `can be at most ${depth} levels deep`, abort: true })
    .refine(isWellFormed, problems.broken)
    .refine(hasMergeableNames, "can't have a property with a NUL character in its name")
    .refine(isSmall, `can have at most ${bytes} bytes of JSON`);

/** An object with our properties and any others that the client chooses. */
export const mixedObject = <Properties extends z.core.$ZodLooseShape>(properties: Properties) =>
  z.object(properties).catchall(z.unknown());
