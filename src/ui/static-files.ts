import { sha256Hex } from "../lib/crypto/digest.ts";

interface StaticFile {
  readonly type: string;
  /** A function makes it on first use. */
  readonly content: string | Uint8Array<ArrayBuffer> | (() => string);
}

const oneYear = 365 * 24 * 60 * 60;

/**
 * Files that pages refer to, by name. A stylesheet refers to fonts by these names, in braces.
 *
 * The address of a file contains a hash of the content, so that browsers can keep it forever.
 */
export class StaticFiles<Name extends string> {
  readonly #files: Readonly<Record<Name, StaticFile>>;
  #namesWithHash: Readonly<Record<Name, string>> | undefined;

  constructor(files: Readonly<Record<Name, StaticFile>>) {
    this.#files = files;
  }

  /** Returns the addresses of the files. @param folder where they are served */
  async paths(folder: `/${string}`): Promise<Readonly<Record<Name, string>>> {
    const entries = Object.entries<string>(await this.#hashNames());
    return Object.fromEntries(entries.map(([name, hashed]) => [name, `${folder}/${hashed}`])) as Record<
      Name,
      string
    >;
  }

  /**
   * Returns the response with a file; undefined if there is no such file. With another hash, from a page loaded before or
   * after a deployment, the file is served but not cached.
   */
  async answer(path: string): Promise<Response | undefined> {
    const hashed = path.replace(/^.*\//, "");
    const name = hashed.replace(/-[0-9a-f]{12}\./, ".");
    if (!has(this.#files, name)) return undefined;
    const names = await this.#hashNames();
    const isCurrent = names[name] === hashed;
    return new Response(this.#contentOf(name, names), {
      headers: {
        "content-type": this.#files[name].type,
        "cache-control": isCurrent ? `public, max-age=${oneYear}, immutable` : "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }

  /** Adds a content hash to the files' names. */
  async #hashNames(): Promise<Readonly<Record<Name, string>>> {
    if (this.#namesWithHash !== undefined) return this.#namesWithHash;
    const entries = Object.entries<StaticFile>(this.#files).map(async ([name, { content }]) => {
      const digest = (await sha256Hex(typeof content === "function" ? content() : content)).slice(0, 12);
      return [name, name.replace(".", `-${digest}.`)] as const;
    });
    this.#namesWithHash = Object.fromEntries(await Promise.all(entries)) as Record<Name, string>;
    return this.#namesWithHash;
  }

  /** Returns a file as it is served. In a stylesheet, fonts have addresses relative to its own. */
  #contentOf(name: Name, names: Readonly<Record<Name, string>>): string | Uint8Array<ArrayBuffer> {
    const { type, content } = this.#files[name];
    const made = typeof content === "function" ? content() : content;
    if (typeof made !== "string" || !type.startsWith("text/css")) return made;
    return made.replace(/\{([\w-]+\.woff2)\}/g, (_, font: Name) => names[font]);
  }
}

const has = <Name extends string>(files: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(files, name);
