import Bowser from "bowser";
import { isbot } from "isbot";

/** Of other names a user agent could make up any number. */
const browserNames: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

export interface AgentFacts {
  /** mobile, tablet, desktop or tv; null if unknown. */
  readonly device: string | null;
  /** The common name, such as iOS, Android, Windows, macOS or Linux; null if unknown. */
  readonly os: string | null;
  /** The common name, such as Safari, Chrome or Firefox; null if unknown. */
  readonly browser: string | null;
  readonly bot: boolean;
}

/** Tools that people use to try a code by hand. isbot counts them as bots, but their scans are deliberate. */
const commandLineTool = /^(curl|wget|httpie|postmanruntime|insomnia|node|undici|bun|deno)\b/i;

/** Parses a User-Agent header. Without one nothing is known, and the scan counts as a person's. */
export function describeAgent(userAgent: string | null): AgentFacts {
  if (userAgent === null || userAgent === "") return { device: null, os: null, browser: null, bot: false };
  const { platform, os, browser } = Bowser.parse(userAgent);
  return {
    device: platform.type ?? null,
    os: os.name ?? null,
    browser: browser.name !== undefined && browserNames.has(browser.name) ? browser.name : null,
    bot: isbot(userAgent) && !commandLineTool.test(userAgent),
  };
}

/**
 * A text that stands for all user agents with the same device, system and browser. Only known names occur in it, so that
 * there are few such texts however user agents are made up.
 */
export const summariseAgent = ({ device, os, browser, bot }: AgentFacts): string =>
  `(other ${bot ? "bot" : (device ?? "device")}, ${os ?? "unknown system"}, ${browser ?? "unknown browser"})`;
