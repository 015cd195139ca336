import { type ParseArgsConfig, parseArgs } from "node:util";
import type { QrCodes } from "../index.ts";
import { UsageError } from "./exit-codes.ts";
import { Output } from "./output.ts";
import { connected, readSettings } from "./settings.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own; strict: true; allowPositionals: true }>
>["values"];

/** The arguments and surroundings of a command. */
interface Call<Own extends Options> {
  /** The words after the name of the command: as many as the usage names. */
  readonly args: readonly string[];
  readonly values: Values<Own>;
  readonly output: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Connects with the settings. */
  connect(): Promise<QrCodes>;
}

interface Definition<Own extends Options> {
  /** After the program's name, as in `codes get CODE`. */
  readonly usage: string;
  /** One sentence, and the options. */
  readonly help: string;
  readonly options: Own;
  /** @returns the exit code */
  run(call: Call<Own>): Promise<number>;
}

/** A command, ready to be run. */
export interface Command {
  readonly usage: string;
  readonly help: string;
  run(argv: readonly string[], signal: AbortSignal): Promise<number>;
}

/** Every command has these. */
const common = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** Defines a command. Its arguments are the words in capitals of its usage; `[URL]` may be left out. */
export function command<Own extends Options>({ usage, help, options, run }: Definition<Own>): Command {
  const names = usage.split(" ").filter((word) => /^\[?[A-Z]/.test(word));
  const required = names.filter((word) => !word.startsWith("["));
  const text = `Usage: qr ${usage} [OPTIONS]\n\n${help.trim()}\n`;
  return {
    usage,
    help: text,
    run(argv, signal) {
      const { values, positionals } = parsed(argv, { ...common, ...options });
      if (values.help) {
        process.stdout.write(text);
        return Promise.resolve(0);
      }
      const [missing, unexpected] = [required[positionals.length], positionals[names.length]];
      if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
      if (unexpected !== undefined) throw new UsageError(`Unexpected: ${unexpected}`);
      return run({
        args: positionals,
        values: values as Values<Own>,
        output: new Output(values.json === true),
        signal,
        async connect() {
          return connected(await readSettings());
        },
      });
    },
  };
}

function parsed(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Reads `--filter NAME=VALUE`, given any number of times. */
export function filterOf(given: readonly string[] | undefined): Record<string, string> {
  return Object.fromEntries(
    (given ?? []).map((each) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(each) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`--filter takes NAME=VALUE, such as tag=menu, not ${each}`);
      }
      return [name, value];
    }),
  );
}

/** Reads a whole number. */
export function numberOf(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d+$/.test(given)) throw new UsageError(`--${name} takes a whole number, not ${given}`);
  return Number(given);
}
