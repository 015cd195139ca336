import * as z from "zod";
import { errorCodes } from "./error-codes.ts";

export const ErrorCode = z.enum(errorCodes);

export const ErrorBody = z
  .object({
    error: z
      .string()
      .meta({ description: "What is wrong and what to do about it, for developers. Names the field." }),
    code: ErrorCode,
  })
  .meta({ id: "Error" });

/** The body of a 412. */
export const OtherVersion = ErrorBody.extend({
  current: z
    .looseObject({})
    .optional()
    .meta({ description: "The resource as it is now. Its version is the response's ETag" }),
}).meta({ id: "OtherVersion" });
