import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Scope } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { InstalledClient } from "./client-package.ts";

/** How a program ended, and what it printed. */
interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed command `qr`, with a key of a workspace of its own. */
export class CommandLine implements Disposable {
  readonly installed: InstalledClient;
  readonly workspace: OwnWorkspace;
  /** The environment that names service, key and settings. */
  readonly env: Readonly<Record<"QR_URL" | "QR_KEY" | "XDG_CONFIG_HOME", string>>;

  private constructor(installed: InstalledClient, workspace: OwnWorkspace, key: string) {
    this.installed = installed;
    this.workspace = workspace;
    const config = join(installed.folder, "config");
    this.env = { QR_URL: workspace.service.origin, QR_KEY: key, XDG_CONFIG_HOME: config };
  }

  /** @param userName unique among all tests */
  static async create(userName: string): Promise<CommandLine> {
    const [installed, workspace] = await Promise.all([
      InstalledClient.create(),
      OwnWorkspace.create(userName),
    ]);
    return new CommandLine(installed, workspace, await CommandLine.#key(workspace, Scope.options));
  }

  static async #key(workspace: OwnWorkspace, scopes: readonly Scope[]): Promise<string> {
    const input = { name: "Terminal", type: "secret", scopes };
    return (await readStrictly(workspace.callDeveloper("POST", "/keys", input), 201, NewApiKey)).key;
  }

  /** Creates another key of the workspace. */
  key = (scopes: readonly Scope[]): Promise<string> => CommandLine.#key(this.workspace, scopes);

  /** Starts `qr` without a terminal. @param input its standard input */
  start(args: readonly string[], env: Record<string, string> = {}, input?: string): ChildProcess {
    const child = spawn(join(this.installed.folder, "node_modules/.bin/qr"), args, {
      cwd: this.installed.folder,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: undefined, ...this.env, ...env },
    });
    child.stdin?.end(input);
    return child;
  }

  /** Waits for the end of a program. */
  async resultOf(child: ChildProcess): Promise<Result> {
    const [[code], stdout, stderr] = await Promise.all([
      once(child, "close"),
      text(child.stdout ?? process.stdin),
      text(child.stderr ?? process.stdin),
    ]);
    return { code, stdout, stderr };
  }

  run = (...args: string[]): Promise<Result> => this.resultOf(this.start(args));

  /** Runs `qr` with a standard input. */
  pipe = (input: string, ...args: string[]): Promise<Result> => this.resultOf(this.start(args, {}, input));

  write(file: string, content: string): void {
    writeFileSync(join(this.installed.folder, file), content);
  }

  read(file: string): string {
    return readFileSync(join(this.installed.folder, file), "utf8");
  }

  [Symbol.dispose](): void {
    this.installed[Symbol.dispose]();
  }
}
