export type Platform = "ios" | "android" | "other";

/**
 * The platform by a user agent, as far as an address for its apps depends on it. An iPad calls itself a Macintosh
 * unless an app asks for mobile pages; so Safari on a "Macintosh" counts as iOS: who scans a code holds the device.
 */
export function platformOf(userAgent: string): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  if (userAgent.includes("Android")) return "android";
  // Chrome, Edge and Opera of a real Mac say Chrome; Firefox does not say AppleWebKit.
  return /Macintosh.*AppleWebKit/.test(userAgent) && !userAgent.includes("Chrome/") ? "ios" : "other";
}
