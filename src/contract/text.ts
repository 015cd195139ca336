import * as z from "zod";
import { invisibleProblem, trimmed } from "../lib/text/invisible.ts";
import { limits } from "./limits.ts";

/** Text fields that people fill in. */

const { line, text } = limits.data;

export const problems = {
  empty: "can't be empty",
  control: "can't contain line breaks or control characters",
  broken: "must be valid Unicode",
};
const maxCharacters = (length: number) => `can have at most ${length} characters`;

/** The arguments of `refine` that exclude lone surrogates, which UTF-8 can't encode. */
export const wellFormed = [(text: string) => text.isWellFormed(), problems.broken] as const;

/**
 * The arguments of `refine` that exclude control characters: a NUL would end the text elsewhere, a line break would
 * split a list.
 */
export const singleLine = [(text: string) => !/\p{Cc}|[\u2028\u2029]/u.test(text), problems.control] as const;

/** The arguments of `refine` that exclude invisible characters, which would make two names of one. */
export const nothingInvisible = [
  (text: string) => invisibleProblem(text) === undefined,
  { error: ({ input }: { readonly input?: unknown }) => invisibleProblem(String(input)) ?? "" },
] as const;

/** A single line of text that may be empty. @param length maximum number of characters */
export const anyLine = (length: number = line) =>
  z
    .string()
    .overwrite(trimmed)
    .max(length, maxCharacters(length))
    .refine(...singleLine)
    .refine(...wellFormed);

/** A single line of text, such as a folder's name. @param length maximum number of characters */
export const oneLine = (length: number = line) => anyLine(length).min(1, problems.empty);

/** A name for the service, which its operator chooses. */
export const serviceName = oneLine(limits.serviceName).refine(...nothingInvisible);

/** Text of several lines. All line breaks are stored as line feeds. @param length maximum number of characters */
export const manyLines = (length: number = text) =>
  z
    .string()
    .min(1, problems.empty)
    .max(length, maxCharacters(length))
    .refine(...wellFormed)
    .overwrite((value) => value.replace(/\r\n?/g, "\n"))
    .refine((value) => !/(?![\n\t])\p{Cc}/u.test(value), "can't contain control characters");

/** More permissive than zod's own: also accepts international names and domains. */
const emailPattern = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u;

export const email = z
  .string()
  .overwrite(trimmed)
  .max(254, maxCharacters(254))
  .regex(emailPattern, "must be an email address such as hello@example.com")
  .meta({ format: "idn-email", example: "hello@example.com" });

/** An http(s) URL. Parsed by the domain, because the rules depend on its use. */
export const address = z
  .string()
  .min(1, problems.empty)
  .refine(...wellFormed);

/** A list with a maximum length. */
export const listOfAtMost = <Item extends z.ZodType>(item: Item, count: number) =>
  z.array(item).max(count, `can have at most ${count} entries`);

const yesOrNo = (otherwise: "true" | "false") =>
  z
    .enum(["true", "false"])
    .default(otherwise)
    .transform((text) => text === "true");

/** A yes or no in a query; no if omitted. */
export const flag = yesOrNo("false");

/** A yes or no in a query; yes if omitted. */
export const flagUnlessFalse = yesOrNo("true");
