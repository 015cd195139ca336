import { fileNameOf } from "../../lib/text/file-name.ts";

/** Names that Windows keeps for devices, whatever their ending. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The names of files in an archive, without their ending: each of its code, and no two the same. */
export class FileNames {
  readonly #taken = new Set<string>();

  nameOf({ name, hash }: { readonly name: string | null; readonly hash: string }): string {
    const own = fileNameOf(name ?? "");
    const wanted = own === "" || deviceName.test(own) ? hash : own;
    // The short name makes it unique, unless another code is called just so.
    for (const candidate of [wanted, `${wanted}-${hash}`]) {
      if (this.#take(candidate)) return candidate;
    }
    for (let number = 2; ; number += 1) {
      const candidate = `${wanted}-${hash}-${number}`;
      if (this.#take(candidate)) return candidate;
    }
  }

  /** File systems take names for the same that differ in case only. */
  #take(name: string): boolean {
    const folded = name.toLowerCase();
    if (this.#taken.has(folded)) return false;
    this.#taken.add(folded);
    return true;
  }
}
