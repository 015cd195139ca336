import { expect } from "vitest";
import * as z from "zod";

/** Reads an answer strictly: the status and the very fields of the contract. */
export async function readStrictly<S extends z.ZodRawShape>(
  answer: Promise<Response>,
  status: number,
  schema: z.ZodObject<S>,
) {
  const response = await answer;
  const json: unknown = await response.json();
  expect({ status: response.status, json }).toEqual({ status, json: expect.anything() });
  return z.strictObject(schema.shape).parse(json);
}
