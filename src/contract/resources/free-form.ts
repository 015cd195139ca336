import * as z from "zod";
import { limits } from "../limits.ts";
import { problems } from "../text.ts";

const { bytes, depth } = limits.freeForm;

const utf8 = new TextEncoder();

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether objects and arrays have at most `depth` levels. Not recursive, because a hostile body would exhaust the stack. */
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

/** SQLite ends a property's name at a NUL character when it merges objects. */
const hasMergeableNames = (value: unknown): boolean =>
  !isContainer(value) ||
  Object.entries(value).every(([key, each]) => !key.includes("\0") && hasMergeableNames(each));

/** Whether an object has at most the bytes of JSON that a free-form one may have. */
export const isSmall = (value: object): boolean => utf8.encode(JSON.stringify(value)).length <= bytes;

/** The rules for an object whose properties the client chooses. The first ends the checks, since the others are recursive. */
export const freeForm = <S extends z.ZodType<object>>(schema: S) =>
  schema
    .refine(isShallow, { error: `can be at most ${depth} levels deep`, abort: true })
    .refine(isWellFormed, problems.broken)
    .refine(hasMergeableNames, "can't have a property with a NUL character in its name")
    .refine(isSmall, `can have at most ${bytes} bytes of JSON`);

/** The properties of a client's own in an object that has some of ours. */
const ownProperties = z.unknown();

/**
 * An object with properties of ours and, beside them, any that the client chooses. Unlike in a loose object, what looks like a
 * slip of one of ours is refused.
 */
export const mixedObject = <Properties extends z.core.$ZodLooseShape>(properties: Properties) =>
  z.object(properties).catchall(ownProperties);

/** Whether `mixedObject` made the schema, or one that it was refined to. */
export const isMixedObject = (schema: z.ZodObject): boolean => schema.def.catchall === ownProperties;
