/** Returns an address as people write it. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
