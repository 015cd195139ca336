import Bowser from "bowser";
import { isbot } from "isbot";

export interface AgentFacts {
  /** mobile, tablet, desktop, tv, or null when the text does not tell. */
  readonly device: string | null;
  /** As people name it: iOS, Android, Windows, macOS, Linux, … */
  readonly os: string | null;
  readonly bot: boolean;
}

/** Tools that people try a code with by hand. Their scans are deliberate, so they count. */
const handTool = /^(curl|wget|httpie|postmanruntime|insomnia|node|undici|bun|deno)\b/i;

/** What a user agent's text says of who scanned. Without one nothing is known, and the scan counts. */
export function describeAgent(userAgent: string | null): AgentFacts {
  if (userAgent === null || userAgent === "") return { device: null, os: null, bot: false };
  const { platform, os } = Bowser.parse(userAgent);
  return {
    device: platform.type ?? null,
    os: os.name ?? null,
    bot: isbot(userAgent) && !handTool.test(userAgent),
  };
}
