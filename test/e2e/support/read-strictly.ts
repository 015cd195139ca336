import { expect } from "vitest";
import * as z from "zod";

/** Reads a response. @throws for another status, and for fields that the schema lacks or that don't fit it */
export async function readStrictly<S extends z.ZodRawShape>(
  pending: Promise<Response>,
  status: number,
  schema: z.ZodObject<S>,
) {
  const response = await pending;
  const json: unknown = await response.json();
  expect({ status: response.status, json }).toEqual({ status, json: expect.anything() });
  return z.strictObject(schema.shape).parse(json);
}
