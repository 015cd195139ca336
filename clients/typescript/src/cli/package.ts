import { readFileSync } from "node:fs";

/** The package's own name and version. */
export const { name, version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly name: string; readonly version: string };
