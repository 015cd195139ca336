export type Platform = "ios" | "android" | "other";

/** Characters of a user agent that are read. The platform is named early; a hostile header may have 100 000. */
const maxUserAgent = 1000;

/**
 * The platform of a user agent, for choosing between app addresses. An iPad identifies as a Macintosh unless an app asks
 * for mobile pages, so Safari on a Macintosh counts as iOS: a device that scans a code is held in a hand.
 */
export function platformOf(userAgent: string): Platform {
  const agent = userAgent.slice(0, maxUserAgent);
  if (/iPhone|iPad|iPod/.test(agent)) return "ios";
  if (agent.includes("Android")) return "android";
  const macintosh = agent.indexOf("Macintosh");
  if (macintosh === -1 || agent.includes("Chrome/")) return "other";
  // Of the browsers on a Mac without Chrome/, only Firefox lacks AppleWebKit.
  return agent.includes("AppleWebKit", macintosh) ? "ios" : "other";
}
