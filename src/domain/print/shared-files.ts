/** Drawings, in which an address such as `file:0` stands for the first of the data URIs in `files`. */
export interface SharedFiles {
  readonly drawings: readonly string[];
  readonly files: readonly string[];
}

/** Takes the pictures out of drawings, so that each of them is there once. */
export function shareFiles(svgs: readonly string[]): SharedFiles {
  const files = new Map<string, number>();
  const drawings = svgs.map((svg) =>
    svg.replace(/(?<=href=")data:[^"]+/g, (address) => {
      const index = files.get(address) ?? files.size;
      files.set(address, index);
      return `file:${index}`;
    }),
  );
  return { drawings, files: [...files.keys()] };
}

/** Puts the pictures back into a drawing. */
export const withFiles = (svg: string, { files }: SharedFiles): string =>
  svg.replace(/(?<=href=")file:(\d+)/g, (_, index: string) => files[Number(index)] ?? "");
