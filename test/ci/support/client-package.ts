import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { build, client } from "../../../scripts/lib/client-package.ts";
import { root } from "../../../scripts/lib/wrangler.ts";

const run = promisify(execFile);

/** The name under which the package is published. */
export const { name: packageName } = JSON.parse(readFileSync(join(client, "package.json"), "utf8")) as {
  readonly name: string;
};

/** The project's own version of a program. */
export const bin = (name: string): string => join(root, "node_modules/.bin", name);

/** As strict as TypeScript gets; the package's own declarations are checked, too. */
const strict = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ skipLibCheck: false, module: "nodenext", target: "es2023", lib: ["es2023"] },
};

/** An empty project outside the repository with the package installed as `npm pack` makes it. */
export class InstalledClient implements Disposable {
  /** The project's folder. */
  readonly folder: string;
  /** The package's folder, as it was built. */
  readonly source: string;
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
    this.source = join(parent, "client");
    this.folder = join(parent, "project");
  }

  static async create(): Promise<InstalledClient> {
    const installed = new InstalledClient(mkdtempSync(join(tmpdir(), "qr-client-")));
    const { source, folder } = installed;
    // A copy, so that tests don't build in the same folder at the same time.
    const left = ["dist", "generated"];
    cpSync(client, source, { recursive: true, filter: (path) => !left.includes(basename(path)) });
    symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
    await build(source);
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", "..", source], {
      cwd: source,
    });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
    const archive = join("..", packed?.filename ?? "");
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: folder });
    return installed;
  }

  /** Writes a file of the project. */
  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Checks files with the types of a runtime. @returns what the compiler says @param types such as `node` */
  async compile(files: readonly string[], types: string): Promise<string> {
    mkdirSync(join(this.folder, "node_modules/@types"), { recursive: true });
    for (const name of [types, ...(types === "@types/node" ? ["undici-types"] : [])]) {
      const target = join(this.folder, "node_modules", name);
      rmSync(target, { force: true });
      mkdirSync(join(target, ".."), { recursive: true });
      symlinkSync(join(root, "node_modules", name), target);
    }
    const compilerOptions = { ...strict, types: [types.replace("@types/", "")] };
    this.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
    const failed = (error: { stdout: string }) => error;
    const { stdout } = await run(bin("tsc"), ["-p", "tsconfig.json"], { cwd: this.folder }).catch(failed);
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.#parent, { recursive: true });
  }
}
