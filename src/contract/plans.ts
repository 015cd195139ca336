import * as z from "zod";
import { limits } from "./limits.ts";
import { QrType } from "./resources/enums.ts";

export const Plan = z.enum(["free", "starter", "pro", "business"]);
export type Plan = z.output<typeof Plan>;

/** The limits of a plan. `null` means no limit. */
export interface PlanLimits {
  /** The plan's name as shown to people. */
  readonly title: string;
  readonly requestsPerMinute: number;
  readonly bulkRows: number;
  readonly liveCodes: number | null;
  /** Codes created or restored per day, UTC. */
  readonly creationsPerDay: number;
  readonly folders: number;
  /** Hosted pages, including deleted ones that can be restored. */
  readonly pages: number;
  readonly templates: number;
  /** Bytes that the workspace may store in the catalogue in total; the operator can raise this. */
  readonly storedBytes: number;
  /** The part of these that bulk jobs and their items may take. */
  readonly jobBytes: number;
  readonly secretKeys: boolean;
  readonly qrTypes: readonly QrType[];
  readonly webhooks: number;
  /** Hosts of the workspace's own at which its codes answer. */
  readonly domains: number;
  /** Whether `cornerColor` and design templates can be used. */
  readonly fullDesign: boolean;
  /** Whether new codes may have chosen short names. */
  readonly chosenShortName: boolean;
}

const megabyte = 1_000_000;

/** The limits of each plan. */
export const plans = {
  free: {
    title: "Free",
    requestsPerMinute: 30,
    bulkRows: 25,
    liveCodes: 25,
    creationsPerDay: 500,
    folders: 100,
    pages: 0,
    templates: 0,
    storedBytes: 10 * megabyte,
    jobBytes: megabyte,
    secretKeys: false,
    qrTypes: ["url"],
    webhooks: 1,
    domains: 0,
    fullDesign: false,
    chosenShortName: false,
  },
  starter: {
    title: "Starter",
    requestsPerMinute: 60,
    bulkRows: 100,
    liveCodes: 250,
    creationsPerDay: 2500,
    folders: 1000,
    pages: 0,
    templates: 25,
    storedBytes: 100 * megabyte,
    jobBytes: 8 * megabyte,
    secretKeys: false,
    qrTypes: QrType.options.filter((type) => type !== "servicepage"),
    webhooks: 2,
    domains: 1,
    fullDesign: true,
    chosenShortName: false,
  },
  pro: {
    title: "Pro",
    requestsPerMinute: 120,
    bulkRows: 1000,
    liveCodes: 5000,
    creationsPerDay: 50_000,
    folders: 5000,
    pages: 1000,
    templates: 100,
    storedBytes: 500 * megabyte,
    jobBytes: 32 * megabyte,
    secretKeys: true,
    qrTypes: QrType.options,
    webhooks: 10,
    domains: 3,
    fullDesign: true,
    chosenShortName: true,
  },
  business: {
    title: "Business",
    requestsPerMinute: 600,
    bulkRows: 10_000,
    liveCodes: null,
    creationsPerDay: 1_000_000,
    folders: 20_000,
    pages: 5000,
    templates: 200,
    storedBytes: 2000 * megabyte,
    jobBytes: 128 * megabyte,
    secretKeys: true,
    qrTypes: QrType.options,
    webhooks: 50,
    domains: 50,
    fullDesign: true,
    chosenShortName: true,
  },
} as const satisfies Record<Plan, PlanLimits>;

/** The largest body of a bulk request on a plan, in bytes. */
export const bulkBodyLimit = ({ bulkRows }: PlanLimits): number =>
  Math.min(limits.bulk.body, bulkRows * limits.bulk.rowBytes);
