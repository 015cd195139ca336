export type Platform = "ios" | "android" | "other";

/**
 * The platform of a user agent, for choosing between app addresses. An iPad identifies as a Macintosh unless an app asks
 * for mobile pages, so Safari on a Macintosh counts as iOS: a device that scans a code is held in a hand.
 */
export function platformOf(userAgent: string): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  if (userAgent.includes("Android")) return "android";
  // On a Mac, Chrome, Edge and Opera include Chrome/, and Firefox lacks AppleWebKit.
  return /Macintosh.*AppleWebKit/.test(userAgent) && !userAgent.includes("Chrome/") ? "ios" : "other";
}
