import * as z from "zod";
import { trimmed } from "../../../lib/text/invisible.ts";
import { limits } from "../../limits.ts";
import { isReservedName } from "../../reserved-names.ts";
import {
  address,
  flagUnlessFalse,
  nothingInvisible,
  oneLine,
  problems,
  singleLine,
  wellFormed,
} from "../../text.ts";
import { ExportFormat, QrSort, QrStatus, QrType, ScanQuery, Shape, SortOrder } from "../enums.ts";
import { freeForm } from "../free-form.ts";
import { Advanced, AdvancedChanges } from "../images/design.ts";
import { suspended } from "../operations/suspension.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { QrData, QrDataInput, QrDataUrl } from "./qr-data.ts";

const name = z
  .string()
  .max(limits.name, `can have at most ${limits.name} characters`)
  .refine(...singleLine)
  .refine(...wellFormed)
  .meta({ description: "Name shown in the dashboard", example: "Lunch menu" });

/** The length as people count it: an emoji is one character. */
const isShortId = (text: string) =>
  text.length <= 2 * limits.externalId && [...text].length <= limits.externalId;

export const externalId = z
  .string()
  .overwrite(trimmed)
  .normalize("NFC")
  .min(1, problems.empty)
  .refine(...nothingInvisible)
  .refine(isShortId, `can have at most ${limits.externalId} characters`)
  .refine(...singleLine)
  .refine(...wellFormed)
  .meta({
    description: "Your own id, such as an article number. Unique in the workspace; case counts",
    maxLength: limits.externalId,
  });

/** An `externalId` in a path. Slashes and dots alone don't survive the way to the service. */
export const ExternalIdInPath = externalId.regex(
  /^\.*[A-Za-z0-9_~:@-][A-Za-z0-9._~:@-]*$/,
  "may contain only letters, digits and . _ ~ : @ - in a path. Use ?externalId= for any other",
);

/** Trimmed in bodies and filters alike, so that a filter finds the tag as it was given. */
const tag = z.string().overwrite(trimmed);

export const tags = z
  .array(
    tag
      .normalize("NFC")
      .min(1, "can't be empty")
      .max(limits.tags.length)
      .refine(...singleLine)
      .refine(...wellFormed),
  )
  .max(limits.tags.count, `can have at most ${limits.tags.count} tags`)
  .transform((list) => [...new Set(list)])
  .meta({ description: "Labels to filter by; duplicates are removed", example: ["summer"] });

export const folderId = z
  .uuid("must be the id of a folder")
  .nullable()
  .meta({ description: "A folder of the workspace; null for none" });

/** @param color the schema of a CSS color */
const colors = <Color extends z.ZodType>(color: Color) => ({
  dotsColor: color.optional().meta({ description: "CSS color of the QR modules" }),
  backgroundColor: color.optional().meta({ description: "CSS color of the background, or `transparent`" }),
  cornerColor: color.optional().meta({ description: "CSS color of the finder patterns" }),
});

export const ColorConfig = freeForm(z.looseObject(colors(z.string()))).meta({
  id: "ColorConfig",
  description: `Colors of the QR code. Dots and corners must be darker than the background, with a contrast of at least ${limits.contrast}:1 and ${100 * limits.symbolContrast} % of white paper's light between them. At most ${limits.freeForm.bytes} bytes of JSON`,
});
export type ColorConfig = z.output<typeof ColorConfig>;

export const ColorChanges = freeForm(z.looseObject(colors(z.string().nullable()))).meta({
  id: "ColorChanges",
  description: "Properties that are omitted stay unchanged; null removes one",
});
export type ColorChanges = z.output<typeof ColorChanges>;

export const templateId = z.uuid("must be the id of a template");

const chosenShortName = z
  .string()
  .overwrite(trimmed)
  .refine(...nothingInvisible)
  .regex(/^[0-9a-z-]{4,32}$/, "must have 4 to 32 characters: letters a–z, digits and hyphens")
  .refine((hash) => !isReservedName(hash), "is reserved. Choose another.")
  .meta({
    description:
      "A short name for `scanUrl`, on the Pro and Business plans. It can't have been used before. Generated if omitted",
    example: "summer-menu",
  });

/** The year 10000, epoch milliseconds. ISO 8601 years have four digits. */
const endOfTime = Date.UTC(10_000, 0);

/** @param description when the time takes effect */
export const boundary = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error: "must be a date and time with a time zone, such as 2026-12-24T18:00:00+01:00",
    })
    .refine((text) => {
      const time = Date.parse(text);
      return !(time < 0 || time >= endOfTime);
    }, "must be between the years 1970 and 9999")
    .nullable()
    .meta({ description });

/** A host of the workspace's domains. */
export const domain = z
  .string()
  .trim()
  .min(1, problems.empty)
  .max(limits.domain.typed, `can have at most ${limits.domain.typed} characters`)
  .nullable()
  .meta({
    description:
      "The host in `scanUrl`: a domain of the workspace such as go.example.com, or null for the scan origin. While the domain isn't active, `scanUrl` has the scan origin",
  });

const alias = z
  .string()
  .trim()
  .min(1, problems.empty)
  .max(limits.destination, `can have at most ${limits.destination} characters`)
  .refine(...singleLine)
  .refine(...wellFormed)
  .meta({
    description:
      "A host of the workspace's domains and a path, such as that of an older short link: go.example.com/Menu_2019. Case counts",
  });

const aliases = z
  .array(alias)
  .max(limits.aliases.count, `can have at most ${limits.aliases.count} addresses`)
  .transform((list): readonly string[] => [...new Set(list)])
  .meta({
    description: `Other addresses of the code, at domains of the workspace, such as go.example.com/Menu_2019: at most ${limits.aliases.count}, each with a path of at most ${limits.aliases.bytes} bytes`,
  });

/** An address to add to a code, or to take over from another code. */
export const AliasInput = z
  .object({ alias: alias.meta({ example: "go.example.com/Menu_2019" }) })
  .meta({ id: "AliasInput" });
export type AliasInput = z.output<typeof AliasInput>;

const lifeSpan = {
  startsAt: boundary("Scans before this time get the fallback; null for no start").optional(),
  expiresAt: boundary(
    "Scans from this time on get the fallback; after startsAt, or null for no end",
  ).optional(),
  fallbackUrl: address
    .nullable()
    .meta({
      description:
        "Where scans lead while the code is paused, expired or not started; they aren't counted. Null for a page that says so",
    })
    .optional(),
};

/** @param value the schema of a parameter */
const utmParameters = <Value extends z.ZodType>(value: Value) => ({
  source: value.optional(),
  medium: value.optional(),
  campaign: value.optional(),
  term: value.optional(),
  content: value.optional(),
});

const utmValue = oneLine(limits.utm);

export const Utm = z.object(utmParameters(utmValue)).meta({
  id: "Utm",
  description:
    "Campaign parameters that scans of a `url` or `applink` add to the address as `utm_source` and so on. Parameters that the address already has are kept",
});
export type Utm = z.output<typeof Utm>;

const UtmChanges = z.object(utmParameters(utmValue.nullable())).meta({
  id: "UtmChanges",
  description: "Properties that are omitted stay unchanged; null removes one",
});

const query = ScanQuery.meta({
  description:
    "Passes the query of a scan on to the destination of a `url` or `applink`. `merge` adds the parameters that the destination and `utm` don't have; `raw` appends the query as it came; `off` drops it",
});

/** Returns whether a body is an existing code as it was read. Its short name isn't a chosen one, then. */
export const isOfExisting = (scanUrl: string | undefined, hash: string | undefined): boolean =>
  hash !== undefined && scanUrl?.endsWith(`/${hash}`) === true;

export const QrCreateInput = z
  .object({
    name: name.optional(),
    qrType: QrType,
    data: QrDataInput,
    externalId: externalId.optional().meta({ example: "SKU-00123" }),
    hash: chosenShortName.optional(),
    scanUrl: z.string().optional().meta({
      description:
        "Set if you send back an existing code to copy it: the `hash`, `externalId` and `aliases` beside it are then ignored, and the copy gets another hash",
    }),
    folderId: folderId.optional(),
    tags: tags.optional(),
    status: QrStatus.optional().meta({ description: "`active` if omitted" }),
    templateId: templateId.optional().meta({ description: "Applies a design template" }),
    colorConfig: ColorConfig.optional(),
    shape: Shape.optional(),
    advanced: AdvancedChanges.optional().meta({
      description:
        "The design beyond shape and colors, and any other properties of your own; null leaves out what the template has",
    }),
    ...lifeSpan,
    utm: Utm.nullable().optional(),
    query: query
      .optional()
      .meta({ description: "If omitted, that of the domain; `off` for the scan origin" }),
    domain: domain.optional().meta({ description: "The workspace's default domain if omitted" }),
    aliases: aliases.optional(),
  })
  .refine((input) => input.data.type === input.qrType, {
    path: ["data", "type"],
    error: "must equal qrType",
    // Checked even if other fields are invalid, because data of another type is the usual cause of missing fields.
    when: ({ value }) => typeof Object(Object(value).data).type === "string",
  })
  .overwrite(({ scanUrl, ...input }) =>
    isOfExisting(scanUrl, input.hash)
      ? { ...input, hash: undefined, externalId: undefined, aliases: undefined }
      : input,
  )
  .meta({ id: "QrCreateInput" });
export type QrCreateInput = z.output<typeof QrCreateInput>;

const isUrl = z.literal("url", "must be url with a publishable key");

/** An object that rejects every other property by name. */
const only = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape).check(({ value, issues }) => {
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(shape, key)) continue;
      issues.push({
        code: "custom",
        input: value,
        path: [key],
        message: "can't be set with a publishable key",
      });
    }
  });

/** The fields that a publishable key can set. Anyone can read such a key in a web page, so it can store little. */
export const PublishableQrInput = only({
  name: name.optional(),
  qrType: isUrl,
  data: only({ type: isUrl, url: QrDataUrl.shape.url }),
});

export const QrUpdateInput = z
  .object({
    name: name.nullable().optional(),
    qrType: QrType.optional().meta({
      description: "Can't be changed: any value but the code's own is refused",
    }),
    data: QrDataInput.optional(),
    externalId: externalId.nullable().optional(),
    hash: z
      .string()
      .optional()
      .meta({ description: "Can't be changed: any value but the code's own is refused" }),
    folderId: folderId.optional(),
    tags: tags.optional(),
    status: QrStatus.optional(),
    templateId: templateId.nullable().optional().meta({
      description: "Applies a design template; null removes the reference and keeps the design",
    }),
    colorConfig: ColorChanges.nullable().optional(),
    shape: Shape.nullable().optional().meta({ description: "null for the default" }),
    advanced: AdvancedChanges.nullable().optional(),
    ...lifeSpan,
    utm: UtmChanges.nullable().optional(),
    query: query
      .nullable()
      .transform((value) => value ?? "off")
      .optional()
      .meta({ description: "null for `off`" }),
    domain: domain.optional(),
    aliases: aliases.optional(),
  })
  .meta({ id: "QrUpdateInput", description: "Fields that are omitted stay unchanged" });
export type QrUpdateInput = z.output<typeof QrUpdateInput>;

export const QrPutInput = QrUpdateInput.extend({
  scanUrl: QrCreateInput.shape.scanUrl,
}).meta({
  id: "QrPutInput",
  description:
    "A code as it is created, if no code has the own id yet; otherwise fields that are omitted stay unchanged",
  example: { qrType: "url", data: { type: "url", url: "example.com/menu" }, name: "Lunch menu" },
});
export type QrPutInput = z.output<typeof QrPutInput>;

/** The own id of the code that a request is about. */
export const ExternalIdQuery = z.object({ externalId: externalId.meta({ example: "SKU 00123/7" }) });

const dateTime = z.iso.datetime();

export const Qr = z
  .object({
    id: z.uuid(),
    hash: z
      .string()
      .meta({ description: "The last part of the scan URL: 8 generated characters, or the chosen ones" }),
    qrType: QrType,
    name: z.string().nullable(),
    externalId: z.string().nullable(),
    folderId: z.uuid().nullable(),
    tags: z.array(z.string()),
    status: QrStatus,
    scanUrl: z.url().meta({ description: "The short URL that the QR code contains" }),
    data: QrData,
    shape: Shape.nullable(),
    colorConfig: ColorConfig.nullable(),
    templateId: z.uuid().nullable().meta({ description: "The design template applied last" }),
    advanced: Advanced.nullable(),
    startsAt: dateTime.nullable(),
    expiresAt: dateTime.nullable(),
    fallbackUrl: z.string().nullable(),
    utm: Utm.nullable(),
    query,
    domain,
    aliases: z.array(z.string()).readonly(),
    createdAt: dateTime,
    updatedAt: dateTime,
    suspended,
    readability: z.enum(["unmeasured", "unreadable"]).nullable().meta({
      description:
        "Whether phones can read its design: `unmeasured` until that is known, `unreadable` if its score is too low; null if they can",
    }),
    scanOriginOnly: z.boolean().meta({
      description:
        "Whether domains don't know its short name, because a publishable key created it. A change of `domain` ends that",
    }),
  })
  .meta({ id: "Qr" });
export type Qr = z.output<typeof Qr>;

/** The filters of a list of codes. */
export const QrFilters = z.object({
  folderId: z.string().optional().meta({ description: "Only QR codes in this folder" }),
  tag: tag.optional().meta({ description: "Only QR codes with this tag" }),
  qrType: QrType.optional().meta({ description: "Only QR codes of this type" }),
  status: QrStatus.optional().meta({ description: "Only QR codes with this status" }),
  q: z.string().max(limits.name).optional().meta({
    description:
      "Only QR codes that this finds, in any case and accents: first those that it names exactly, then those whose name or tag begins so, then those with its words in any text",
  }),
  externalId: externalId.optional().meta({ description: "Only the QR code with this own id" }),
  hash: z.string().max(limits.destination).optional().meta({
    description: "Only the QR code with this short name",
  }),
  scanUrl: z.string().max(limits.destination).optional().meta({
    description: "Only the QR code with this short link, as people paste it",
  }),
  destination: z.string().max(limits.destination).optional().meta({
    description: "Only QR codes that lead to exactly this address: `url`, or the `fallback` of an `applink`",
  }),
  destinationHost: z.string().max(limits.blockedHosts.host).optional().meta({
    description: "Only QR codes that lead to this host, with its port, if any, such as shop.example",
  }),
});

/** A code in a list, with its scans if they are asked for. */
export const ListedQr = Qr.extend({
  scans: z.int().optional().meta({ description: "With `include=scans`: all human scans" }),
  scans30d: z.int().optional().meta({
    description: "With `include=scans`: human scans in the last 30 days of the reporting time zone",
  }),
  lastScanAt: dateTime.nullable().optional().meta({
    description:
      "With `include=scans`: the last human scan; null for none. If that scan is no longer kept, the beginning of its day",
  }),
}).meta({ id: "ListedQr" });
export type ListedQr = z.output<typeof ListedQr>;

const include = z.enum(["scans"]).optional();

const scanDay = z.iso.date({ error: "must be a date such as 2026-01-31", abort: true }).optional();

/** Filters by scans, as far as they have been copied from the ledger. */
const scanFilters = {
  scanned: z.enum(["never"]).optional().meta({
    description: "`never`: only QR codes that nobody has scanned, an hour old",
  }),
  scannedBefore: scanDay.meta({
    description:
      "Only QR codes whose last scan was before this day of the reporting time zone, up to a day old. Those that nobody has scanned are not among them",
  }),
  scannedAfter: scanDay.meta({
    description: "Only QR codes whose last scan was on this day or later, up to a day old",
  }),
};

export const QrListQuery = QrFilters.extend({
  ...scanFilters,
  sort: QrSort.optional().meta({
    description: `What the list is sorted by; \`createdAt\` if omitted. \`folder\` is its name, \`destination\` the address without its scheme. Other than by \`createdAt\`, \`updatedAt\` and \`name\`, at most ${limits.sortedCodes} QR codes can be sorted, by \`scans\` and \`lastScan\` ${limits.sortedByScans}. Scans are up to a day old. Those without a value come last`,
  }),
  order: SortOrder.optional().meta({
    description:
      "Ascending or descending; if omitted, descending by `createdAt`, `updatedAt`, `scans` and `lastScan`, otherwise ascending",
  }),
  include: include.meta({
    description:
      "`scans` adds `scans`, `scans30d` and `lastScanAt` to each QR code. The key needs the scope `scans:read`",
  }),
  cursor,
  limit: pageLimit(limits.qrList),
});
export type QrListQuery = z.output<typeof QrListQuery>;

/** Filters whose short link has been read as the short name, as the store needs it. */
export type ReadFilter<Filter> = Omit<Filter, "scanUrl"> & { readonly scanUrl?: undefined };

/** Which codes to export. */
export const QrExportQuery = QrFilters.extend({
  ...scanFilters,
  format: ExportFormat.default("csv"),
  bom: flagUnlessFalse.meta({
    description:
      "Whether CSV begins with a byte order mark, which spreadsheets need and some programs stumble over",
  }),
  include: include.meta({
    description:
      "`scans` adds `scans`, `scans30d` and `lastScanAt` to each QR code, as the last columns of CSV. The key needs the scope `scans:read`",
  }),
});
export type QrExportQuery = z.output<typeof QrExportQuery>;

const examined = (what: string) =>
  z.int().meta({ description: `How many codes' ${what} have been searched` });

export const QrList = listOf(ListedQr, "QrList", {
  searched: z
    .object({
      names: examined("names"),
      destinations: examined("destinations"),
      codes: examined("other texts"),
      of: z.int().meta({ description: "How many codes the workspace has" }),
    })
    .optional()
    .meta({
      description:
        "How far a search or filter has come, if this page isn't full and `nextCursor` continues it. An empty page then doesn't mean that there are no results",
    }),
});
export type QrList = z.output<typeof QrList>;

export const Deleted = z.object({ success: z.boolean() }).meta({ id: "Deleted" });
