export type Platform = "ios" | "android" | "other";

/** How many characters of a user agent are read. The platform is named early, and a hostile header may have 100,000. */
const maxUserAgent = 1000;

/**
 * Returns a user agent's platform, to choose between app addresses. An iPad identifies as a Macintosh unless an app
 * asks for mobile pages, so Safari on a Macintosh counts as iOS: people scan codes with devices they hold.
 */
export function platformOf(userAgent: string): Platform {
  const agent = userAgent.slice(0, maxUserAgent);
  if (/iPhone|iPad|iPod/.test(agent)) return "ios";
  if (agent.includes("Android")) return "android";
  const macintosh = agent.indexOf("Macintosh");
  if (macintosh === -1 || agent.includes("Chrome/")) return "other";
  // Of the Mac browsers without Chrome/, only Firefox lacks AppleWebKit.
  return agent.includes("AppleWebKit", macintosh) ? "ios" : "other";
}
