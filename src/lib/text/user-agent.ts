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
