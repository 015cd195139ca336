import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as z from "zod";
import { Failure } from "../lib/failure.ts";
import { ownerOnly, readFileIfExists, writeSecretFile } from "../lib/files.ts";

/** The version of the manifest. */
export const manifestFormat = 1;

const File = z.object({
  /** Relative to the folder. */
  path: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});
export type BackupFile = z.infer<typeof File>;

const Manifest = z.object({
  about: z.string(),
  format: z.number(),
  id: z.string(),
  run: z.number(),
  /** Whether the installation refused changes, since it is being moved. Later backups then have the same id. */
  moving: z.boolean(),
  begunAt: z.string(),
  completedAt: z.string(),
  installation: z.object({
    version: z.string(),
    scanOrigin: z.string(),
    appOrigin: z.string(),
    secrets: z.record(z.string(), z.string()),
  }),
  counts: z.record(z.string(), z.number()),
  catalogue: z.array(File.extend({ table: z.string() })),
  ledgers: z.array(File.extend({ workspaceId: z.string(), mark: z.string() })),
  files: z.array(File.extend({ key: z.string(), etag: z.string(), contentType: z.string() })),
});
/** The contents of a complete backup. */
export type Manifest = z.infer<typeof Manifest>;

/** The first words of every manifest. */
export const about =
  "A backup of a QR code service. It holds personal data: people's names and email addresses, submissions of forms, scans. " +
  "Keep it where only you can read it, and delete it when you no longer need it: what is erased in the service stays in it.";

const State = z.object({
  id: z.string(),
  run: z.number(),
  moving: z.boolean(),
  begunAt: z.number(),
});
/** A backup that isn't complete. */
export type State = z.infer<typeof State>;

/** The folder of a backup. Every file can be read by its owner only. */
export class BackupFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  get #manifest(): string {
    return join(this.path, "manifest.json");
  }

  get #state(): string {
    return join(this.path, "unfinished.json");
  }

  /** Returns the path of a file. @throws Failure for one outside the folder */
  pathOf(name: string): string {
    const path = join(this.path, name);
    if (relative(this.path, path).split(sep)[0] === "..")
      throw new Failure(`${name} is outside the backup's folder.`);
    return path;
  }

  /** Returns the manifest of the last complete backup; null if there is none. @throws Failure for a newer one */
  async manifest(): Promise<Manifest | null> {
    const text = await readFileIfExists(this.#manifest);
    if (text === "") return null;
    const manifest = Manifest.safeParse(parsed(text));
    if (!manifest.success) throw new Failure(`${this.#manifest} is damaged, or of a newer version.`);
    if (manifest.data.format > manifestFormat) throw new Failure(`${this.#manifest} is of a newer version.`);
    return manifest.data;
  }

  /** The manifest. @throws Failure if there is none */
  async requireManifest(): Promise<Manifest> {
    const manifest = await this.manifest();
    if (manifest !== null) return manifest;
    throw new Failure(
      `${this.path} has no complete backup. Take one: npm run backup -- INSTALLATION ${this.path}`,
    );
  }

  /** Returns the backup in progress; null if there is none. */
  async state(): Promise<State | null> {
    const state = State.safeParse(parsed(await readFileIfExists(this.#state)));
    return state.success ? state.data : null;
  }

  /** Begins a backup. @throws Failure if the folder holds something else */
  async begin(state: State): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: ownerOnly.folder });
    await chmod(this.path, ownerOnly.folder);
    const isOwn =
      (await this.manifest()) !== null ||
      (await this.state()) !== null ||
      (await readdir(this.path)).length === 0;
    if (!isOwn) throw new Failure(`${this.path} isn't empty and has no backup. Choose another folder.`);
    await writeSecretFile(this.#state, JSON.stringify(state));
  }

  /** Completes a backup, and removes the files that only earlier ones had. */
  async complete(manifest: Manifest): Promise<void> {
    await writeSecretFile(this.#manifest, `${JSON.stringify(manifest, null, 1)}\n`);
    const kept = new Set(
      [...manifest.catalogue, ...manifest.ledgers, ...manifest.files].map(({ path }) => this.pathOf(path)),
    );
    for (const folder of ["catalogue", "ledgers", "files"]) {
      const entries = await readdir(this.pathOf(folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && !kept.has(path)) await rm(path);
      }
    }
    await rm(this.#state, { force: true });
  }

  /** Writes a whole file. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder });
    await using file = await open(path, "w", ownerOnly.file);
    await file.writeFile(bytes);
    await file.sync();
  }

  /** Returns a file's size and digest. */
  async describe(name: string): Promise<BackupFile> {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(this.pathOf(name))) hash.update(chunk as Buffer);
    return { path: name, bytes: (await stat(this.pathOf(name))).size, sha256: hash.digest("hex") };
  }

  read(name: string): Promise<Buffer<ArrayBuffer>> {
    return readFile(this.pathOf(name));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const zip = promisify(gzip);

/** Text is compressed in pieces of at least this many characters, which are whole gzip members. */
const pieceCharacters = 4_000_000;

/**
 * A file that is written piece by piece. Each piece can be read by itself, so a file that was cut off goes on after its last
 * whole piece.
 */
export class Pieces implements AsyncDisposable {
  readonly #file: Awaited<ReturnType<typeof open>>;
  #length: number;
  #text = "";

  private constructor(file: Awaited<ReturnType<typeof open>>, length: number) {
    this.#file = file;
    this.#length = length;
  }

  /** Opens a file. @param length where it goes on; 0 to begin anew */
  static async open(path: string, length: number): Promise<Pieces> {
    await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder });
    const file = await open(path, length === 0 ? "w" : "r+", ownerOnly.file);
    await file.truncate(length);
    return new Pieces(file, length);
  }

  /** Adds text. @returns the file's length, once all that was added is stored; null before */
  async add(text: string): Promise<number | null> {
    this.#text += text;
    return this.#text.length < pieceCharacters ? null : this.flush();
  }

  /** Stores all that was added. @returns the file's length */
  async flush(): Promise<number> {
    if (this.#text === "") return this.#length;
    const bytes = await zip(this.#text, { level: 6 });
    this.#text = "";
    await this.#file.write(bytes, 0, bytes.length, this.#length);
    await this.#file.sync();
    this.#length += bytes.length;
    return this.#length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
