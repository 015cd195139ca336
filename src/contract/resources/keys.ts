import * as z from "zod";
import { KeyType, Scope } from "./enums.ts";
import { limits } from "../limits.ts";
import { oneLine } from "../text.ts";

export const ApiKeyInput = z
  .object({
    name: oneLine(limits.keyName).meta({
      description: "Name shown in the dashboard",
      example: "Warehouse import",
    }),
    type: KeyType.meta({
      description:
        "`secret` for your own servers; `publishable` for web pages, where anyone can read the key",
      example: "secret",
    }),
    scopes: z
      .array(Scope)
      .min(1, "must name at least one scope")
      .max(10, "can name each scope only once")
      .optional()
      .meta({
        description: "Permissions of a secret key; all if omitted. Not allowed for a publishable key",
      }),
    origins: z
      .array(z.string().max(limits.keyOrigins.length))
      .max(limits.keyOrigins.count, `can have at most ${limits.keyOrigins.count} origins`)
      .optional()
      .meta({
        description: `The web origins that may use a publishable key, such as \`https://shop.example\`: 1 to ${limits.keyOrigins.count}`,
      }),
  })
  .meta({ id: "ApiKeyInput" });
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: KeyType,
    scopes: z.array(Scope),
    origins: z.array(z.string()),
    prefix: z.string().meta({ example: "sk_live_" }),
    lastFour: z.string().meta({ example: "x4Tq" }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Accurate to a few minutes; null if the key was never used" }),
    creationsToday: z
      .object({
        count: z.int().nullable().meta({ description: "Null if the count could not be read" }),
        cap: z.int().meta({ example: limits.keyCreations.cap }),
      })
      .optional()
      .meta({
        description:
          "Only for a publishable key: the codes it created today (UTC), and how many it can create a day",
      }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof ApiKey>;

export const NewApiKey = ApiKey.extend({
  key: z
    .string()
    .meta({ description: "The full key. It cannot be retrieved again", example: "sk_live_0Wq3…" }),
}).meta({ id: "NewApiKey" });
export type NewApiKey = z.output<typeof NewApiKey>;

export const ApiKeyList = z.object({ keys: z.array(ApiKey) }).meta({ id: "ApiKeyList" });
