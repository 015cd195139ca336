import { fileNameOf } from "../../lib/text/file-name.ts";

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The names of an archive's files, without extension: each from its code's name, and all different. */
export class FileNames {
  readonly #taken = new Set<string>();

  nameOf({ name, hash }: { readonly name: string | null; readonly hash: string }): string {
    const own = fileNameOf(name ?? "");
    const wanted = own === "" || deviceName.test(own) ? hash : own;
    // The short name makes it unique, unless another code has exactly that name.
    for (const candidate of [wanted, `${wanted}-${hash}`]) {
      if (this.#take(candidate)) return candidate;
    }
    for (let number = 2; ; number += 1) {
      const candidate = `${wanted}-${hash}-${number}`;
      if (this.#take(candidate)) return candidate;
    }
  }

  /** Many file systems ignore case in names. */
  #take(name: string): boolean {
    const folded = name.toLowerCase();
    if (this.#taken.has(folded)) return false;
    this.#taken.add(folded);
    return true;
  }
}
