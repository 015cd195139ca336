import Bowser from "bowser";

/** Other names are ignored, because a user agent could invent any number of them. */
const browserNames: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** Browsers, including in-app ones, that Bowser identifies as the browser they are built on. */
const otherBrowsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Instagram", /\bInstagram \d/],
  ["Facebook", /\bFB(?:AN|AV|_IAB)\//],
  ["TikTok", /\b(?:musical_ly|trill)_\d|\bBytedanceWebview\//],
  ["LINE", /\bLine\/\d/],
  ["Snapchat", /Snapchat\/\d/],
  ["Pinterest", /\[Pinterest\//],
  ["LinkedIn", /\[LinkedInApp\]/],
  ["Huawei Browser", /\bHuaweiBrowser\//],
  ["MIUI Browser", /\bMiuiBrowser\//],
  ["DuckDuckGo", /\bDuckDuckGo\/\d/],
  ["Opera Touch", /\bOPT\/\d/],
];

/** Televisions that identify as Android devices, by name or by the models of Fire TV. */
const television =
  /\b(?:Android|Google|Apple) ?TV\b|\bBRAVIA\b|\bMiTV|\bMIBOX|\bSHIELD\b(?! Tablet)|\bChromecast\b|\bCrKey\/|\bAFT[A-Z]{1,5}\d{0,3}\b/;

/** Android's own HTTP client, which apps use. It doesn't name its device, which is nearly always a phone. */
const androidClient = /^Dalvik\//;

export interface AgentFacts {
  /** mobile, tablet, desktop or tv; null if unknown. */
  readonly device: string | null;
  /** The common name, such as iOS, Android, Windows, macOS or Linux; null if unknown. */
  readonly os: string | null;
  /** The common name, such as Safari, Chrome or Firefox; null if unknown. */
  readonly browser: string | null;
}

/** Parses a User-Agent header. Without one, nothing is known. */
export function describeAgent(userAgent: string | null): AgentFacts {
  if (userAgent === null || userAgent === "") return { device: null, os: null, browser: null };
  const { platform, os, browser } = Bowser.parse(userAgent);
  return {
    device: deviceOf(userAgent, os.name) ?? platform.type ?? null,
    os: os.name ?? null,
    browser: browserOf(userAgent, browser.name),
  };
}

/** Returns the browser and system of a User-Agent header, such as "Firefox on Windows"; null if neither is known. */
export function describeDevice(userAgent: string | null): string | null {
  const { browser, os } = describeAgent(userAgent);
  return browser === null || os === null ? (browser ?? os) : `${browser} on ${os}`;
}

/** Returns devices that Bowser doesn't recognise. */
function deviceOf(userAgent: string, os: string | undefined): string | undefined {
  if (television.test(userAgent)) return "tv";
  if (androidClient.test(userAgent)) return "mobile";
  return os === Bowser.OS_MAP.ChromeOS ? "desktop" : undefined;
}

function browserOf(userAgent: string, known: string | undefined): string | null {
  if (androidClient.test(userAgent)) return null;
  const other = otherBrowsers.find(([, sign]) => sign.test(userAgent));
  return other?.[0] ?? (known !== undefined && browserNames.has(known) ? known : null);
}

/**
 * Returns a text that stands for all user agents with the same device, system and browser. It contains only known
 * names, so there are few such texts, however user agents are made up.
 */
export const summariseAgent = ({ device, os, browser }: AgentFacts, isBot: boolean): string =>
  `(other ${isBot ? "bot" : (device ?? "device")}, ${os ?? "unknown system"}, ${browser ?? "unknown browser"})`;
