import { findExceeded } from "../lib/web/network-limit.ts";
import type { Deps } from "./deps.ts";

/** Public work that a network's limit is for. Each is counted by itself. */
type PublicWork = "drawing" | "page image" | "report";

/** Counts public work that a client asks for. @returns whether a network of theirs has had too much in this minute */
export const isWorkExceeded = async (
  { drawingLimit }: Pick<Deps, "drawingLimit">,
  clientAddress: string,
  work: PublicWork,
): Promise<boolean> =>
  (await findExceeded(drawingLimit, clientAddress, work === "drawing" ? "" : `${work} `)) !== undefined;
