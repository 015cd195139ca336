import * as z from "zod";

/** A person's sign-ins. */

export const Session = z
  .object({
    id: z.uuid(),
    device: z.string().nullable().meta({
      description: "The browser and system that signed in; null if unknown",
      example: "Firefox on Windows",
    }),
    createdAt: z.iso.datetime().meta({ description: "When the person signed in" }),
    lastUsedAt: z.iso.datetime().meta({ description: "Accurate to an hour" }),
    expiresAt: z.iso.datetime(),
    current: z.boolean().meta({ description: "Whether it is the session of this request" }),
  })
  .meta({ id: "Session" });
export type Session = z.output<typeof Session>;

export const SessionList = z.object({ sessions: z.array(Session) }).meta({ id: "SessionList" });
