import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionOf, shells } from "../../../clients/typescript/src/cli/completion.ts";
import { commands, help } from "../../../clients/typescript/src/cli/table.ts";

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

it("the help of each command has its options, its arguments and no others, on a screen", () => {
  for (const { help: text, options, args, name, about } of commands) {
    const lines = text.trimEnd().split("\n");
    expect(lines.length, name).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const shown = new Set(text.match(/(?<=^ {2}(?:-\w, |--\w+, )?)--[a-z-]+/gm));
    const own = Object.keys(options)
      .filter((option) => option !== "help")
      .map((option) => `--${option}`);
    // Commands that write files, or nothing, take --json like all and do nothing else with it.
    const silent = own.filter((option) => option !== "--json" || shown.has("--json"));
    expect(
      [...shown].filter((option) => !own.includes(option)),
      name,
    ).toEqual([]);
    expect(
      silent.filter((option) => !text.includes(option)),
      name,
    ).toEqual([]);
    for (const arg of args) expect(text).toContain(arg);
    expect(about).toMatch(/^[A-Z].*[^.]$/);
    expect(help).toContain(name.split(" ").at(-1));
  }
});

/** The completions of a line's last word. */
const lines: Readonly<Record<string, readonly string[]>> = {
  "qr co": ["codes", "completion"],
  "qr lo": ["login", "logout"],
  "qr codes ": ["create", "delete", "get", "list", "set"],
  "qr folders re": ["rename", "restore"],
  "qr codes list --": [
    "--all",
    "--filter",
    "--help",
    "--json",
    "--limit",
    "--ndjson",
    "--order",
    "--scans",
    "--sort",
  ],
  "qr codes list --sort c": ["createdAt"],
  "qr export --format ": ["csv", "ndjson"],
  "qr scans export --format n": ["ndjson"],
  "qr codes set ext:A-1 --status ": ["active", "paused"],
  "qr labels --sheet L": ["L7160", "L7163", "L7651"],
  "qr webhooks create https://a.example --event qr.s": ["qr.scanned"],
  "qr webhooks set 1 --event qr.created --mode b": ["batched_5m"],
  "qr completion ": ["bash", "fish", "zsh"],
  "qr import t": ["table.csv"],
  "qr export -o t": ["table.csv"],
  "qr export --output t": ["table.csv"],
  "qr codes list --filter ": [],
  "qr nonsense ": [],
};

describe("completion", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "qr-completion-"));
    for (const shell of shells) writeFileSync(join(folder, `qr.${shell}`), completionOf(shell, commands));
    writeFileSync(join(folder, "table.csv"), "");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Completes each line in a shell's own way. @returns the words, by line */
  async function completed(shell: string, script: string): Promise<Record<string, string[]>> {
    const { stdout, stderr } = await run(shell, ["-c", script, shell, ...Object.keys(lines)], {
      cwd: folder,
    });
    expect(stderr).toBe("");
    const answers = stdout.split("=\n").slice(0, -1);
    return Object.fromEntries(
      Object.keys(lines).map((line, index) => [
        line,
        (answers[index] ?? "").split("\n").filter(Boolean).sort(),
      ]),
    );
  }

  it("works in bash", async () => {
    const script = `source ./qr.bash
      for line; do
        read -ra COMP_WORDS <<< "$line"
        [[ $line == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        _qr
        printf '%s\\n' "\${COMPREPLY[@]}" =
      done`;
    expect(await completed("bash", script)).toEqual(lines);
  });

  // Neither is part of the project: where one is missing, there is nothing to complete in.
  it("works in fish, and can be read by zsh, where they are installed", async ({ annotate }) => {
    const missing = ["fish", "zsh"].filter((shell) => !has(shell));
    if (missing.length > 0) await annotate(`Not installed here, so not used: ${missing.join(", ")}.`);
    if (!missing.includes("zsh")) await run("zsh", ["-n", join(folder, "qr.zsh")]);
    if (missing.includes("fish")) return;
    const script = `source ./qr.fish
      for line in $argv[2..]
        complete -C "$line" | string replace -r '\\t.*' ''
        echo =
      end`;
    expect(await completed("fish", script)).toEqual(lines);
  });
});
