import { type ParseArgsConfig, parseArgs } from "node:util";
import { Failure } from "./failure.ts";

/** Parses a command line. @throws Failure, with the usage, for an invalid one */
export function parseCommandLine<Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Only the first sentence of Node's message describes the problem; the rest explains conventions.
    const [reason] = error instanceof Error ? error.message.split(/\.[ \n]/) : [];
    throw new Failure(`${reason}\n\n${usage}`);
  }
}
