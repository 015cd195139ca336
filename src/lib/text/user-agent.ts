import Bowser from "bowser";
import { isbot } from "isbot";

export interface AgentFacts {
  /** mobile, tablet, desktop or tv; null if unknown. */
  readonly device: string | null;
  /** The common name, such as iOS, Android, Windows, macOS or Linux; null if unknown. */
  readonly os: string | null;
  readonly bot: boolean;
}

/** Tools that people use to try a code by hand. isbot counts them as bots, but their scans are deliberate. */
const commandLineTool = /^(curl|wget|httpie|postmanruntime|insomnia|node|undici|bun|deno)\b/i;

/** Parses a User-Agent header. Without one nothing is known, and the scan counts as a person's. */
export function describeAgent(userAgent: string | null): AgentFacts {
  if (userAgent === null || userAgent === "") return { device: null, os: null, bot: false };
  const { platform, os } = Bowser.parse(userAgent);
  return {
    device: platform.type ?? null,
    os: os.name ?? null,
    bot: isbot(userAgent) && !commandLineTool.test(userAgent),
  };
}

const browserNames = new Set(Object.values(Bowser.BROWSER_MAP));

/**
 * A text that stands for all user agents with the same device, system and browser. Only known names occur in it, so that
 * there are few such texts however user agents are made up.
 */
export function summariseAgent(userAgent: string, { device, os, bot }: AgentFacts): string {
  const { name } = Bowser.getParser(userAgent || " ").getBrowser();
  const browser = name !== undefined && browserNames.has(name) ? name : "unknown browser";
  return `(other ${bot ? "bot" : (device ?? "device")}, ${os ?? "unknown system"}, ${browser})`;
}
