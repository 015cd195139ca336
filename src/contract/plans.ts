import type { QrType } from "./resources/enums.ts";

/** What a plan allows. `null` means no cap. */
export interface PlanLimits {
  /** As people read it in messages. */
  readonly title: string;
  readonly requestsPerMinute: number;
  readonly bulkRows: number;
  readonly liveCodes: number | null;
  readonly secretKeys: boolean;
  readonly qrTypes: readonly QrType[];
  readonly webhooks: number;
  /** Whether cornerColor and templates apply. */
  readonly fullDesign: boolean;
}

const everyType: readonly QrType[] = [
  "url",
  "applink",
  "vcard",
  "sms",
  "whatsapp",
  "email",
  "location",
  "telegram",
  "servicepage",
];

/** Spec section 8 for starter, pro and business; the free column and the other caps are rulings. */
export const plans = {
  free: {
    title: "Free",
    requestsPerMinute: 30,
    bulkRows: 25,
    liveCodes: 25,
    secretKeys: false,
    qrTypes: ["url"],
    webhooks: 1,
    fullDesign: false,
  },
  starter: {
    title: "Starter",
    requestsPerMinute: 60,
    bulkRows: 100,
    liveCodes: 250,
    secretKeys: false,
    qrTypes: everyType.filter((type) => type !== "servicepage"),
    webhooks: 2,
    fullDesign: true,
  },
  pro: {
    title: "Pro",
    requestsPerMinute: 120,
    bulkRows: 1000,
    liveCodes: 5000,
    secretKeys: true,
    qrTypes: everyType,
    webhooks: 10,
    fullDesign: true,
  },
  business: {
    title: "Business",
    requestsPerMinute: 600,
    bulkRows: 10_000,
    liveCodes: null,
    secretKeys: true,
    qrTypes: everyType,
    webhooks: 50,
    fullDesign: true,
  },
} as const satisfies Record<string, PlanLimits>;

export type Plan = keyof typeof plans;

/** What a workspace has been granted. Of two, the one with the higher version holds. */
export interface Allowance {
  readonly plan: Plan;
  readonly requestsPerMinute: number;
  readonly version: number;
}
