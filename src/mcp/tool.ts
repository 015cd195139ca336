import type { ContentBlock, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Scope } from "../contract/resources/enums.ts";
import type { Caller } from "../domain/context/context.ts";
import type { Deps } from "../domain/deps.ts";

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
  const { run, ...others } = described;
  return { ...others, run: (call, input) => run(call, input as z.output<Input>) };
}

/** Returns hints about a tool's effect, by which clients decide whether to ask a person first. */
export const annotationsOf = ({ title, effect }: Tool): ToolAnnotations => ({
  title,
  readOnlyHint: effect === "reads",
  destructiveHint: effect === "changes",
  idempotentHint: effect === "reads",
  openWorldHint: false,
});

/** An id, which is read in any case, as in the API's paths. */
export const idInput = z.string().toLowerCase();

/** The `limit` of a list. */
export const pageSize = (bounds: { readonly default: number; readonly max: number }) =>
  z
    .int()
    .min(1)
    .max(bounds.max)
    .default(bounds.default)
    .describe(`At most ${bounds.max}. If there are more, the answer has a nextCursor`);

/** An object that is described in the API's reference, and here only by some of its properties. */
export const asInApi = <Shape extends z.ZodRawShape>(endpoint: string, shape: Shape) =>
  z.looseObject(shape).describe(`As ${endpoint} answers`);

/** A page of a list, which says whether there is more. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("Pass it as cursor for the next page; null on the last one"),
  });
