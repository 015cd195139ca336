import * as z from "zod";
import { limits } from "../../limits.ts";
import { Plan } from "../../plans.ts";
import { oneLine } from "../../text.ts";
import { QrType } from "../enums.ts";
import { suspended } from "../operations/suspension.ts";

/** SHA-256 of a logo's file. */
const logoId = z.string().max(64, "must be the id of a logo");

export const WorkspaceInput = z
  .object({
    name: oneLine(limits.workspaceName).optional().meta({ example: "Harbour Coffee" }),
    logoId: logoId.nullable().optional().meta({
      description: "A logo of the brand, which is shown beside the name; null for none",
    }),
  })
  .meta({ id: "WorkspaceInput" });
export type WorkspaceInput = z.output<typeof WorkspaceInput>;

export const WorkspaceLimits = z
  .object({
    requestsPerMinute: z.int().meta({ description: "Per key, and per user" }),
    bulkRows: z.int().meta({ description: "Rows per bulk job" }),
    liveCodes: z.int().nullable().meta({ description: "QR codes that are not deleted; null means no limit" }),
    creationsPerDay: z.int().meta({ description: "QR codes created or restored per day, UTC" }),
    folders: z.int(),
    pages: z.int().meta({ description: "Hosted pages, including deleted ones that can still be restored" }),
    templates: z.int(),
    domains: z.int().meta({ description: "Hosts of the workspace's own at which its codes answer" }),
    storedBytes: z.int().meta({
      description:
        "Bytes that QR codes, tags, hosted pages, templates and bulk jobs may take up in the database",
    }),
    jobBytes: z.int().meta({ description: "How many of these bulk jobs and their rows may take" }),
    webhooks: z.int(),
    secretKeys: z.boolean().meta({ description: "Whether secret keys can be used" }),
    qrTypes: z.array(QrType),
  })
  .meta({ id: "WorkspaceLimits" });
export type WorkspaceLimits = z.output<typeof WorkspaceLimits>;

export const Workspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    logoId: logoId.nullable().meta({ description: "The logo beside the name; null for none" }),
    plan: Plan,
    limits: WorkspaceLimits,
    usage: z.object({
      requestsThisMinute: z.int().meta({ description: "Requests of the caller, including this one" }),
      liveCodes: z.int(),
      creationsToday: z.int().meta({ description: "QR codes created or restored today, UTC" }),
      storedBytes: z.int(),
      jobBytes: z.int(),
      folders: z.int(),
      pages: z.int(),
      templates: z.int(),
      domains: z.int(),
      webhooks: z.int(),
      scans: z.int().meta({ description: "Scans of all QR codes, including deleted ones" }),
      storage: z
        .object({
          bytes: z.int(),
          status: z.enum(["ok", "high", "full"]),
          archive: z
            .object({
              files: z.int(),
              scans: z.int(),
              bytes: z.int(),
              failingSince: z.iso
                .datetime()
                .nullable()
                .meta({ description: "Since when scans could not be archived; null if they can" }),
            })
            .meta({ description: "Scans moved out of it, compressed. Exports include them" }),
          erasures: z.int().meta({
            description:
              "Erasures in progress: the scans of these QR codes are already hidden and are being removed",
          }),
        })
        .meta({
          description:
            "The space that scans, submissions and deliveries take up. From 9 GB on it is full: scans are counted but not stored",
        }),
    }),
    suspended,
  })
  .meta({ id: "Workspace" });
export type Workspace = z.output<typeof Workspace>;
