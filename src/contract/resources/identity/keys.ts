import * as z from "zod";
import { limits } from "../../limits.ts";
import { flag, oneLine } from "../../text.ts";
import { boundary } from "../codes/qr.ts";
import { defaultScopes, KeyType, Scope } from "../enums.ts";
import { Workspace } from "./workspace.ts";

const expiresAt = boundary(
  "Requests from this time on are refused; null for a key that doesn't expire",
).optional();

const usesDomains = z.boolean().meta({
  description:
    "Whether codes that the publishable key creates get the default domain and answer at every domain of the workspace. If not, they answer at the scan origin alone, until a member changes their `domain`. Anyone can read the key, and would make redirects at your own hosts",
});

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
      .max(Scope.options.length, "can name each scope only once")
      .optional()
      .meta({
        description: `Permissions of a secret key; ${defaultScopes.map((scope) => `\`${scope}\``).join(", ")} if omitted. Not allowed for a publishable key`,
      }),
    origins: z
      .array(z.string().max(limits.keyOrigins.length))
      .max(limits.keyOrigins.count, `can have at most ${limits.keyOrigins.count} origins`)
      .optional()
      .meta({
        description: `The web origins that may use a publishable key, such as \`https://shop.example\`: 1 to ${limits.keyOrigins.count}`,
      }),
    expiresAt,
    personConfirms: z.boolean().optional().meta({
      description:
        "Whether a person confirms each change that the secret key makes. It then proposes changes at `/mcp`, and changes nothing by this API",
    }),
    usesDomains: usesDomains.optional(),
  })
  .meta({ id: "ApiKeyInput" });
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

export const KeyUpdate = z.object({ usesDomains }).meta({ id: "KeyUpdate" });
export type KeyUpdate = z.output<typeof KeyUpdate>;

export const KeyRotationInput = z
  .object({
    overlapHours: z
      .int("must be a number of hours")
      .min(0, "must be at least 0")
      .max(limits.keyOverlapHours.max, `must be at most ${limits.keyOverlapHours.max}`)
      .default(limits.keyOverlapHours.default)
      .meta({ description: "How long the old key keeps working. With 0, it is revoked at once" }),
    expiresAt,
  })
  .meta({ id: "KeyRotationInput" });
export type KeyRotationInput = z.output<typeof KeyRotationInput>;

export const KeyRevocationQuery = z.object({
  pauseWebhooks: flag.meta({ description: "Also pauses the webhooks that the key created or redirected" }),
});
export type KeyRevocationQuery = z.output<typeof KeyRevocationQuery>;

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
    createdBy: z
      .object({
        id: z.uuid(),
        name: z.string().nullable().meta({ description: "Null if the person's account is deleted" }),
        member: z.boolean().meta({ description: "Whether the person is still a member of the workspace" }),
      })
      .nullable()
      .meta({ description: "The person who created the key; null for keys created before version 1.1" }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Requests from this time on are refused; null for a key that doesn't expire" }),
    personConfirms: z.boolean().meta({
      description: "Whether a person confirms each change that the key makes",
    }),
    usesDomains: z
      .boolean()
      .optional()
      .meta({ description: "Only for a publishable key: whether codes that it creates answer at domains" }),
    replacedBy: z.uuid().nullable().meta({ description: "The key that this one was rotated to, if it was" }),
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

/** A key as its holder sees it. */
export const Me = z
  .object({
    key: ApiKey.pick({ id: true, name: true, type: true, scopes: true, personConfirms: true }),
    workspace: Workspace.pick({ id: true, name: true, plan: true, limits: true, suspended: true }),
  })
  .meta({ id: "Me" });
export type Me = z.output<typeof Me>;
