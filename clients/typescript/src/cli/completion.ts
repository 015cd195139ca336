import type { Command } from "./command.ts";

/** Shells that have a completion. */
export const shells = ["bash", "zsh", "fish"] as const;

/** Returns the script that completes the commands in a shell. */
export const completionOf = (shell: (typeof shells)[number], commands: readonly Command[]): string =>
  ({ bash, zsh, fish })[shell](commands);

/** An option, or an argument, as a shell completes it. */
interface Completed {
  /** As in `--output`; for an argument, as in `FILE`. */
  readonly name: string;
  /** As in `-o`. */
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly isRepeated: boolean;
  /** The values that it can have; those of a file are the shell's own. */
  readonly values: readonly string[] | "files" | undefined;
}

const valuesOf = ({ choices }: Command, name: string): Completed["values"] =>
  choices[name] ?? (/^(?:output|FILE)$/.test(name) ? "files" : undefined);

const optionsOf = (command: Command): Completed[] =>
  Object.entries(command.options).map(([name, { type, short, multiple }]) => ({
    name: `--${name}`,
    short: short === undefined ? undefined : `-${short}`,
    takesValue: type === "string",
    isRepeated: multiple === true,
    values: valuesOf(command, name),
  }));

const argsOf = (command: Command): Completed[] =>
  command.args.map((name) => ({
    ...{ name, short: undefined, takesValue: true, isRepeated: false },
    values: valuesOf(command, name),
  }));

const spellings = ({ name, short }: Completed): string[] => [name, ...(short === undefined ? [] : [short])];

/** A word that a command begins with; with the commands behind it, if it names none itself. */
interface First {
  readonly word: string;
  readonly about: string;
  readonly behind: readonly { readonly word: string; readonly about: string }[];
}

function firstWords(commands: readonly Command[]): First[] {
  const words = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
  return [...words].map((word) => {
    const group = commands.filter(({ name }) => name.split(" ")[0] === word);
    const behind = group.flatMap(({ name, about }) => {
      const [, second] = name.split(" ");
      return second === undefined ? [] : [{ word: second, about }];
    });
    const about = behind.length === 0 ? (group[0]?.about ?? "") : behind.map((each) => each.word).join(", ");
    return { word, about, behind };
  });
}

/** Returns a text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** The same for fish, which knows two escapes within quotes. */
const quotedForFish = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;

function bash(commands: readonly Command[]): string {
  const tops = firstWords(commands);
  const names = tops.map(({ word, behind }) =>
    behind.length === 0
      ? `    ${word}) name=${word} ;;`
      : `    ${word}) name="${word} \${COMP_WORDS[2]}"; first=3; behind=${quoted(behind.map((each) => each.word).join(" "))} ;;`,
  );
  const values = commands.flatMap((command) => [
    ...optionsOf(command)
      .filter(({ takesValue }) => takesValue)
      .flatMap((option) => spellings(option).map((each) => bashValues(`${command.name}:${each}`, option))),
  ]);
  const words = commands.map((command) => {
    const options = optionsOf(command).flatMap(spellings).join(" ");
    const args = argsOf(command);
    const [values] = args.flatMap((each) => (each.values === undefined ? [] : [each.values]));
    const given = Array.isArray(values) ? values.join(" ") : "";
    return `    ${quoted(command.name)}) options=${quoted(options)}; values=${quoted(given)}; files=${values === "files" ? 1 : ""} ;;`;
  });
  return `# bash completion of qr, made by: qr completion bash
_qr() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local name= first=2 behind= options= values= files=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted([...tops.map(({ word }) => word), "--help", "--version"].join(" "))} -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${names.join("\n")}
    *) return ;;
  esac
  if ((COMP_CWORD < first)); then
    COMPREPLY=($(compgen -W "$behind" -- "$current"))
    return
  fi
  case $name:$before in
${values.join("\n")}
  esac
  case $name in
${words.join("\n")}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $files ]]; then
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  fi
}
complete -F _qr qr
`;
}

function bashValues(where: string, { values }: Completed): string {
  if (values === "files") {
    return `    ${quoted(where)}) compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;;`;
  }
  if (values === undefined) return `    ${quoted(where)}) return ;;`;
  return `    ${quoted(where)}) COMPREPLY=($(compgen -W ${quoted(values.join(" "))} -- "$current")); return ;;`;
}

function zsh(commands: readonly Command[]): string {
  const tops = firstWords(commands);
  const described = (words: readonly { readonly word: string; readonly about: string }[]) =>
    words.map(({ word, about }) => `      ${quoted(`${word}:${about.replaceAll(":", "\\:")}`)}`).join("\n");
  const groups = tops
    .filter(({ behind }) => behind.length > 0)
    .map(
      ({ word, behind }) => `    ${word})
      if ((CURRENT == 3)); then
        described=(
${described(behind)}
        )
        _describe command described
        return
      fi
      name="$words[2] $words[3]"
      shift 2 words
      ((CURRENT -= 2))
      ;;`,
    );
  const specs = commands.map((command) => {
    const options = optionsOf(command).flatMap((option) => {
      const all = spellings(option);
      const value = option.takesValue ? zshValues(option) : "";
      const others = option.isRepeated ? "*" : `(${all.join(" ")})`;
      return all.map((each) => quoted(`${others}${each}${value}`));
    });
    const args = argsOf(command).map((arg, index) => quoted(`${index + 1}${zshValues(arg)}`));
    return `    ${quoted(command.name)}) _arguments ${[...options, ...args].join(" ")} ;;`;
  });
  return `#compdef qr
# zsh completion of qr, made by: qr completion zsh
_qr() {
  local name
  local -a described
  if ((CURRENT == 2)); then
    described=(
${described(tops)}
    )
    _describe command described
    return
  fi
  case $words[2] in
${groups.join("\n")}
    *)
      name=$words[2]
      shift words
      ((CURRENT -= 1))
      ;;
  esac
  case $name in
${specs.join("\n")}
  esac
}
if [[ $funcstack[1] == _qr ]]; then _qr "$@"; else compdef _qr qr; fi
`;
}

function zshValues({ name, values }: Completed): string {
  const action = values === "files" ? "_files" : values === undefined ? " " : `(${values.join(" ")})`;
  return `:${name.replace(/^--/, "")}:${action}`;
}

function fish(commands: readonly Command[]): string {
  const lines = firstWords(commands).flatMap(({ word, about, behind }) => [
    `complete -c qr -n '__qr_words 0' -a ${word} -d ${quotedForFish(about)}`,
    ...behind.map(
      (each) =>
        `complete -c qr -n '__qr_words 1; and __qr_is ${word}' -a ${each.word} -d ${quotedForFish(each.about)}`,
    ),
  ]);
  const options = commands.flatMap((command) =>
    [...optionsOf(command), ...argsOf(command)].flatMap((each) => {
      const values = fishValues(each);
      const isOption = each.name.startsWith("--");
      if (!isOption && values === "") return [];
      const short = each.short === undefined ? "" : ` -s ${each.short.slice(1)}`;
      const name = isOption ? `${short} -l ${each.name.slice(2)}` : "";
      return [`complete -c qr -n '__qr_is ${command.name}'${name}${values}`];
    }),
  );
  return `# fish completion of qr, made by: qr completion fish
function __qr_words
    test (count (commandline -opc)) -eq (math $argv[1] + 1)
end
function __qr_is
    set -l words (commandline -opc)
    set -e words[1]
    test (count $words) -ge (count $argv); or return 1
    set -l head $words[1..(count $argv)]
    test "$head" = "$argv"
end
complete -c qr -f
${[...lines, ...options].join("\n")}
`;
}

function fishValues({ name, takesValue, values }: Completed): string {
  const isOption = name.startsWith("--");
  if (values === "files") return isOption ? " -rF" : " -F";
  if (values !== undefined)
    return ` ${isOption ? "-x" : ""} -a ${quotedForFish(values.join(" "))}`.replace("  ", " ");
  return isOption && takesValue ? " -x" : "";
}
