import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { build, client } from "../../../scripts/lib/client-package.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { builtOnce } from "../../e2e/support/built-once.ts";

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

/** Builds the package in a copy of its folder, `client`, and installs it in `project`, as `npm init -y` makes it. */
async function buildAndInstall(parent: string): Promise<void> {
  const [source, project] = [join(parent, "client"), join(parent, "project")];
  const left = ["dist", "generated"];
  cpSync(client, source, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  await build(source);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", "..", source], {
    cwd: source,
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  mkdirSync(project);
  await run("npm", ["init", "-y"], { cwd: project });
  const archive = join("..", packed?.filename ?? "");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: project });
}

/** A project of `npm init -y` outside the repository with the package installed as `npm pack` makes it. */
export class InstalledClient implements Disposable {
  /** The project's folder. */
  readonly folder = mkdtempSync(join(tmpdir(), "qr-client-"));
  /** The package's folder, as it was built. */
  readonly source: string;

  private constructor(built: string) {
    this.source = join(built, "client");
    cpSync(join(built, "project"), this.folder, { recursive: true, verbatimSymlinks: true });
  }

  static create = async () => new InstalledClient(await builtOnce("client", buildAndInstall));

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
    rmSync(this.folder, { recursive: true });
  }
}
