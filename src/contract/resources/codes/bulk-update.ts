import * as z from "zod";
import { limits } from "../../limits.ts";
import { address, flag } from "../../text.ts";
import { QrStatus, ScanQuery, Shape } from "../enums.ts";
import { AdvancedChanges } from "../images/design.ts";
import { FailedRows } from "./bulk.ts";
import {
  ColorChanges,
  domain,
  folderId,
  Qr,
  QrFilters,
  QrUpdateInput,
  type ReadFilter,
  tags,
  templateId,
} from "./qr.ts";
import { addressFields } from "./qr-fields.ts";

/* If a filter's typo were ignored, a change would reach all codes. So filter and change reject unknown fields. */

export const BulkFilter = z
  .strictObject({
    ...QrFilters.shape,
    // A change must not reach more codes than programs of earlier releases expect.
    q: QrFilters.shape.q.meta({ description: "Only QR codes whose name contains this, ignoring case" }),
  })
  .meta({
    id: "BulkFilter",
    description:
      "The filters of `GET /qr`, but `q` looks at names alone; `{}` selects all codes of the workspace",
  });

const prefix = address
  .regex(/^https?:\/\//i, "must begin with http:// or https://")
  .max(limits.destination, `can have at most ${limits.destination} characters`);

const host = z
  .string()
  .max(limits.blockedHosts.host)
  .refine(
    (text) => /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`),
    "must be a host such as shop.example or shop.example:8080",
  );

/** @param part the schema of the old and the new value */
const fromTo = <Part extends z.ZodType>(part: Part) => z.strictObject({ from: part, to: part }).optional();

const Replacement = z
  .strictObject({
    host: fromTo(host).meta({
      description: "A host with its port, if any. Its subdomains stay as they are",
      example: { from: "old.example", to: "new.example" },
    }),
    prefix: fromTo(prefix).meta({
      description: "The beginning of an address, including its scheme",
      example: { from: "https://example.com/2025/", to: "https://example.com/2026/" },
    }),
  })
  .refine(
    ({ host, prefix }) => (host === undefined) !== (prefix === undefined),
    "must have either host or prefix",
  )
  .meta({
    id: "BulkReplacement",
    minProperties: 1,
    maxProperties: 1,
    description: `Changes the addresses in \`data\` of types url, applink and vcard, and \`${addressFields.join("`, `")}\`. Codes without such an address stay as they are`,
  });
export type Replacement = z.output<typeof Replacement>;

export const BulkChange = z
  .strictObject({
    addTags: tags.optional(),
    removeTags: tags.optional(),
    folderId: folderId.optional(),
    status: QrStatus.optional(),
    query: ScanQuery.optional().meta({ description: "Fails for codes other than `url` and `applink`" }),
    domain: domain.optional(),
    templateId: templateId.nullable().optional().meta({
      description: "Applies a design template; null removes the reference and keeps the design",
    }),
    colorConfig: ColorChanges.nullable().optional(),
    shape: Shape.nullable().optional().meta({ description: "null for the default" }),
    advanced: AdvancedChanges.nullable().optional(),
    replace: Replacement.optional(),
    delete: z
      .literal(true)
      .optional()
      .meta({ description: "Deletes the codes; no other change may be given" }),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "must have at least one change",
  )
  .refine((change) => change.delete === undefined || Object.keys(change).length === 1, {
    path: ["delete"],
    error: "can't be combined with other changes",
  })
  .refine(
    ({ addTags = [], removeTags = [] }) => {
      const removed = new Set(removeTags);
      return !addTags.some((tag) => removed.has(tag));
    },
    {
      path: ["removeTags"],
      error: "can't have a tag that is also in addTags",
    },
  )
  .meta({
    id: "BulkChange",
    minProperties: 1,
    description: "One or several changes, as in `PATCH /qr/{id}`",
  });
export type BulkChange = z.output<typeof BulkChange>;

/** How a row names its code: by one or several of these, which must agree. */
const naming = {
  id: z.uuid("must be the id of a QR code").toLowerCase().optional(),
  scanUrl: z.string().max(limits.destination).optional().meta({
    description: "The short link. It names the code, like `id` and `hash`",
  }),
  updatedAt: z.iso.datetime({ offset: true }).optional().meta({
    description: "As you read it: if the code has changed since, the row is left out, unless `force` is set",
  }),
};

export const BulkUpdateItem = QrUpdateInput.extend(naming).meta({
  id: "BulkUpdateItem",
  description:
    "A code, named by `id`, `hash` or `scanUrl`, or else by `externalId`, and its changes as in `PATCH /qr/{id}`",
});
export type BulkUpdateItem = z.output<typeof BulkUpdateItem>;

export const RowsQuery = z.object({
  dryRun: flag.meta({ description: "Returns what would change, and changes nothing" }),
  force: flag.meta({ description: "Also changes codes that have changed since their `updatedAt`" }),
});

export const BulkUpdateInput = z
  .object({
    ids: z
      .array(z.uuid("must be the id of a QR code").toLowerCase())
      .min(1, "must have at least one id")
      .max(limits.bulkUpdate.ids, `can have at most ${limits.bulkUpdate.ids} ids`)
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: "The codes to change; duplicates are removed" }),
    filter: BulkFilter.optional(),
    change: BulkChange.optional().meta({ description: "The same change for all codes" }),
    items: z
      .array(BulkUpdateItem)
      .min(1, "must have at least one entry")
      .max(limits.bulkUpdate.ids, `can have at most ${limits.bulkUpdate.ids} entries`)
      .optional()
      .meta({
        description:
          "Instead of `change`: codes with a change each. An invalid item fails alone, and the others are changed",
      }),
    force: z.boolean().optional().meta({
      description: "Also changes codes that have changed since the `updatedAt` of their item",
    }),
    dryRun: z.boolean().optional().meta({
      description: "Returns what would change, and changes nothing",
    }),
  })
  .refine(({ items, change }) => items === undefined || change === undefined, {
    path: ["change"],
    error: "can't be combined with items",
  })
  .refine(
    ({ ids, filter, items }) => [ids, filter, items].filter((each) => each !== undefined).length === 1,
    {
      path: ["filter"],
      error: "or ids or items is required, but only one of them. The filter {} selects all codes.",
    },
  )
  .refine(({ items, change }) => items !== undefined || change !== undefined, {
    path: ["change"],
    error: "is required",
  })
  .meta({
    id: "BulkUpdateInput",
    // Same as the refinements above. Client generators ignore `if`, and turn `oneOf` into odd types.
    if: { properties: { items: {} }, required: ["items"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { change: false, ids: false, filter: false } },
    else: {
      properties: { change: {} },
      required: ["change"],
      oneOf: [
        { properties: { ids: {} }, required: ["ids"] },
        { properties: { filter: {} }, required: ["filter"] },
      ],
    },
    example: {
      ids: ["0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"],
      change: { addTags: ["summer"], status: "paused" },
    },
  });
export type BulkUpdateInput = z.output<typeof BulkUpdateInput>;

/** The codes that a bulk update selects: by id, or by filter. */
export interface BulkSelection {
  readonly ids?: readonly string[] | undefined;
  readonly filter?: BulkSelectionFilter | undefined;
}
type BulkSelectionFilter = ReadFilter<z.output<typeof BulkFilter>> & CodeSearch;

/** The dashboard's additional filters. */
export interface CodeSearch {
  /** Part of the destination, in lower case. */
  readonly to?: string | undefined;
  /** Words that occur in the name, own id, short name, tags or destination, or in the hosted page's title. */
  readonly words?: readonly string[] | undefined;
}

/** The result of a dry run. */
export const BulkPreview = z.object({
  matched: z.number().int().meta({ description: "How many codes the job would change or leave as they are" }),
  samples: z
    .array(
      z.object({
        before: Qr,
        after: Qr.nullable().meta({
          description: "Null if the code would be deleted, or the change fails",
        }),
        error: z.string().nullable().meta({ description: "Why the change of this code would fail" }),
      }),
    )
    .meta({ description: `The first ${limits.bulkUpdate.samples}` }),
  nearMisses: z.array(z.string()).meta({
    description:
      "Addresses of these codes that begin with the prefix to replace but continue within a part, such as `/older` after `/old`: they stay",
  }),
  rows: z
    .object({
      changed: z.int(),
      unchanged: z.int(),
      failed: z.int().meta({ description: "Rows that are invalid, find no code, or whose code has changed" }),
      cleared: z.array(z.string()).meta({
        description: "What the rows remove from codes",
        example: ["Removes the tags of 180 codes."],
      }),
      errors: FailedRows,
    })
    .nullable()
    .meta({ description: "Counts of rows that differ; null for one change of many codes" }),
});
export type BulkPreview = z.output<typeof BulkPreview>;
