import * as z from "zod";
import { limits } from "../limits.ts";

/** Texts that people write, as fields of a body. */

const { line, text } = limits.data;

const problems = {
  empty: "must not be empty",
  control: "must not contain control characters or line breaks",
  broken: "must be well-formed Unicode",
};
const fits = (length: number) => `must be at most ${length} characters`;

/** What people call a thing of theirs. @param length characters at most */
export const name = (length: number) => z.string().trim().min(1, problems.empty).max(length, fits(length));

/** Text of one line. @param length characters at most */
export const oneLine = (length: number = line) =>
  z
    .string()
    .trim()
    .min(1, problems.empty)
    .max(length, fits(length))
    .refine((value) => !/\p{Cc}|[\u2028\u2029]/u.test(value), problems.control)
    .refine((value) => value.isWellFormed(), problems.broken);

/** Text of several lines. However they end, they are stored with a line feed. @param length characters at most */
export const manyLines = (length: number = text) =>
  z
    .string()
    .min(1, problems.empty)
    .max(length, fits(length))
    .refine((value) => value.isWellFormed(), problems.broken)
    .transform((value) => value.replace(/\r\n?/g, "\n"))
    .refine((value) => !/(?![\n\t])\p{Cc}/u.test(value), "must not contain control characters");

/** Looser than zod's own, so that umlauts may stand on both sides of the @. */
const emailPattern = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u;

export const email = z
  .string()
  .trim()
  .max(254, fits(254))
  .regex(emailPattern, "must be an e-mail address")
  .meta({ format: "email", example: "hello@example.com" });

/** An http(s) address, which is read where it is used. */
export const address = z.string().min(1, problems.empty);
