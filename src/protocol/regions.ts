/** Where Durable Objects can be placed: one feed each. */
export const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof regions)[number];
