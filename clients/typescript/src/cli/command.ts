import { type ParseArgsConfig, parseArgs } from "node:util";
import type { QrCodes } from "../index.ts";
import { UsageError } from "./exit-codes.ts";
import { type Format, Output } from "./output.ts";
import { connected, readSettings } from "./settings.ts";

/** The options of a command, as `parseArgs` takes them. */
export type Options = NonNullable<ParseArgsConfig["options"]>;
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
  /** A few words, for lists of commands and completion. */
  readonly about: string;
  /** One sentence, and the options. */
  readonly help: string;
  readonly options: Own;
  /** The values that an option, or an argument by its word in the usage, can have: for completion. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** @returns the exit code */
  run(call: Call<Own>): Promise<number>;
}

/** A command, ready to be run. */
export interface Command {
  readonly usage: string;
  /** As it is typed: `codes get`. */
  readonly name: string;
  readonly about: string;
  readonly help: string;
  /** Its arguments as the usage names them, such as `CODE`. */
  readonly args: readonly string[];
  readonly options: Options;
  readonly choices: Readonly<Record<string, readonly string[]>>;
  run(argv: readonly string[], signal: AbortSignal): Promise<number>;
}

/** Every command has these. */
const common = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** Defines a command. Its arguments are the words in capitals of its usage; `[URL]` may be left out. */
export function command<Own extends Options>(definition: Definition<Own>): Command {
  const { usage, about, help, options, choices = {}, run } = definition;
  const isArgument = (word: string) => /^\[?[A-Z]/.test(word);
  const names = usage.split(" ").filter(isArgument);
  const required = names.filter((word) => !word.startsWith("["));
  const text = `Usage: qr ${usage} [OPTIONS]\n\n${help.trim()}\n`;
  return {
    usage,
    name: usage
      .split(" ")
      .filter((word) => !isArgument(word))
      .join(" "),
    about,
    help: text,
    args: names.map((word) => word.replace(/[[\]]/g, "")),
    options: { ...common, ...options },
    choices,
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
        output: new Output(formatOf(values)),
        signal,
        async connect() {
          return connected(await readSettings());
        },
      });
    },
  };
}

/** @throws UsageError if both are wanted */
function formatOf({ json, ndjson }: { readonly json?: unknown; readonly ndjson?: unknown }): Format {
  if (json === true && ndjson === true) throw new UsageError("Give either --json or --ndjson.");
  return ndjson === true ? "ndjson" : json === true ? "json" : "text";
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
