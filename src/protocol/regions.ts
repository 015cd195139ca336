/** Location hints for Durable Objects. Each region has a feed of its own. */
export const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof regions)[number];
