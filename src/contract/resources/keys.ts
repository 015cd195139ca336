import * as z from "zod";
import { KeyType, Scope } from "./enums.ts";
import { limits } from "../limits.ts";
import { name } from "./text.ts";

export const ApiKeyInput = z
  .object({
    name: name(limits.keyName).meta({
      description: "Label shown in the dashboard",
      example: "Warehouse import",
    }),
    type: KeyType.meta({
      description: "`secret` for programs of your own; `publishable` for web pages, which anybody may read",
      example: "secret",
    }),
    scopes: z
      .array(Scope)
      .min(1, "must name at least one scope")
      .max(10, "must name each scope once")
      .optional()
      .meta({
        description: "What a secret key may do: everything, if left out. A publishable key takes none",
      }),
    origins: z
      .array(z.string().max(limits.keyOrigins.length))
      .max(limits.keyOrigins.count, `at most ${limits.keyOrigins.count} origins`)
      .optional()
      .meta({
        description: `The web origins a publishable key works from, such as \`https://shop.example\`: 1 to ${limits.keyOrigins.count}`,
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
      .meta({ description: "To within some minutes; null for a key that was never used" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof ApiKey>;

export const NewApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The key in full, this once", example: "sk_live_0Wq3…" }),
}).meta({ id: "NewApiKey" });
export type NewApiKey = z.output<typeof NewApiKey>;

export const ApiKeyList = z.object({ keys: z.array(ApiKey) }).meta({ id: "ApiKeyList" });
