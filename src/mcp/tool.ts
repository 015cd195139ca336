import type { ContentBlock, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import { describeIssues } from "../contract/issues.ts";
import type { Scope } from "../contract/resources/enums.ts";
import { unknownFields } from "../contract/unknown-fields.ts";
import type { Caller } from "../domain/context/context.ts";
import type { Deps } from "../domain/deps.ts";
import { ServiceError } from "../domain/errors.ts";
import { lazy } from "../lib/lazy.ts";
import { type JsonSchema, jsonOf } from "./json-schema.ts";

/** The call of a tool. */
export interface ToolCall {
  readonly deps: Deps;
  readonly caller: Caller;
}

/** A tool's result. */
interface Result<Output> {
  readonly value: Output;
  /** Something to look at besides the value, such as an image. */
  readonly content?: readonly ContentBlock[];
}

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool is listed for keys with one of these scopes; empty for any secret key. */
  readonly scopes: readonly Scope[];
  /** Its effect on the workspace. Nothing reaches other systems. */
  readonly effect: "reads" | "adds" | "changes";
}

/** A tool that agents can call. */
export interface Tool extends Described {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Its schemas as JSON. Made once, since each request has a server of its own. */
  readonly listed: () => { readonly input: JsonSchema; readonly output: JsonSchema };
  run(call: ToolCall, input: Record<string, unknown>): Promise<Result<Record<string, unknown>>>;
}

/** Describes a tool. Its input and output are validated by their schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  described: Described & {
    readonly input: Input;
    readonly output: Output;
    readonly run: (call: ToolCall, input: z.output<Input>) => Promise<Result<z.input<Output>>>;
  },
): Tool {
  const { run, input: sent, output: answered, ...others } = described;
  const listed = lazy(() => ({ input: jsonOf(sent, "input"), output: jsonOf(answered, "output") }));
  return {
    ...{ ...others, input: sent, output: answered, listed },
    run: (call, input) => run(call, input as z.output<Input>),
  };
}

/** A tool's input as its description. `readInput` reads it. */
export const listedInput = ({ listed }: Tool) => asListed(listed().input, (value) => ({ value }));

/** A tool's output, which is checked. */
export const listedOutput = ({ listed, output }: Tool) =>
  asListed(listed().output, (value) => output["~standard"].validate(value));

function asListed(
  json: JsonSchema,
  validate: StandardSchemaWithJSON["~standard"]["validate"],
): StandardSchemaWithJSON {
  const schema = () => json;
  return {
    "~standard": { version: 1, vendor: "listed", validate, jsonSchema: { input: schema, output: schema } },
  };
}

/** Some clients send null for what they leave out, down to the input itself. No parameter of a tool takes null. */
const withoutNulls = ({ shape }: z.ZodObject, input: unknown): unknown =>
  typeof input === "object" && !Array.isArray(input)
    ? Object.fromEntries(
        Object.entries(input ?? {}).filter(([name, value]) => value !== null || !Object.hasOwn(shape, name)),
      )
    : input;

/**
 * Reads the input of a tool, in which unknown fields are errors.
 * @throws invalid_input that names the first few problems, and the fields that were probably meant
 */
export function readInput({ input: schema }: Tool, sent: unknown): Record<string, unknown> {
  const input = withoutNulls(schema, sent);
  const { data, error } = schema.safeParse(input);
  const unknown = unknownFields(schema, input);
  if (data !== undefined && unknown.length === 0) return data;
  // Strict objects report unknown fields, too.
  const isNamed = ({ code }: z.core.$ZodIssue) => unknown.length > 0 && code === "unrecognized_keys";
  const issues = (error?.issues ?? []).filter((issue) => !isNamed(issue));
  throw new ServiceError("invalid_input", describeIssues(issues, unknown, "arguments"));
}

/** Refuses unknown fields in a part of an input that is only described in short. @throws invalid_input */
export function requireKnown(schema: z.ZodType, input: unknown): void {
  const unknown = unknownFields(schema, input);
  if (unknown.length > 0) throw new ServiceError("invalid_input", describeIssues([], unknown));
}

/** Returns hints about a tool's effect, by which clients decide whether to ask a person first. */
export const annotationsOf = ({ effect }: Tool): ToolAnnotations => ({
  readOnlyHint: effect === "reads",
  destructiveHint: effect === "changes",
  idempotentHint: effect === "reads",
  openWorldHint: false,
});

/** The schema of an id, in any case, as in the API's paths. @param what it is of, with its article */
export const idOf = (what: string) => z.uuid(`must be the id of ${what}`).toLowerCase();

/** The `limit` of a list. */
export const pageSize = (bounds: { readonly default: number; readonly max: number }) =>
  z.int().min(1).max(bounds.max).default(bounds.default).describe("If there are more, nextCursor is set");

/** An object with only some of its properties described. The API's reference describes the rest. */
export const asInApi = <Shape extends z.ZodRawShape>(endpoint: string, shape: Shape) =>
  z.looseObject(shape).describe(`As ${endpoint} answers`);

/** A page of a list, which says whether there is more. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("Pass it as cursor for the next page; null on the last one"),
    next: z.string().optional().describe("What to do about an empty page that isn't the last one"),
  });

/**
 * Returns a page of results. An empty one is the end only without a cursor: searching stops after so many rows.
 * @param searched how many codes have been searched, if that isn't all
 */
export const resultsOf = <Item>(
  items: Item[],
  nextCursor: string | null,
  searched?: { readonly codes: number; readonly of: number },
) => ({
  ...{ items, nextCursor },
  ...(nextCursor !== null &&
    (items.length === 0 || searched !== undefined) && {
      next: `${items.length === 0 ? "Nothing was found so far" : "The search isn't finished"}${
        searched === undefined ? "" : `, in all texts of ${searched.codes} of ${searched.of} codes`
      }, but this isn't the end. Call again with nextCursor as cursor.`,
    }),
});
