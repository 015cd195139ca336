/** Brings a running service up to its checkout, and applies migrations. */
export const localRestart = "Restart npm run dev with the same options: Ctrl-C, then npm run dev";

/** Where a local service says what failed. */
export const localLog = "See what npm run dev prints";

/**
 * Turns advice for an installation into that for `npm run dev`, where nothing is deployed and Cloudflare has no part.
 * @param mend a command or page that fixes a finding
 */
export const localAdvice = (mend: string): string =>
  mend
    .replace(/^npm run (?:deploy|setup|rotate)\b.*/, localRestart)
    .replace(/ && npm run deploy$/, ", and restart npm run dev")
    .replace(/^npx wrangler tail$|^https:\/\/(?:dash\.cloudflare|www\.cloudflarestatus)\.com\b.*/, localLog);
