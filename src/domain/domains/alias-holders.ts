import { limits } from "../../contract/limits.ts";
import { readAlias } from "../../lib/web/alias.ts";
import * as store from "../../store/domains/aliases.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** Returns the code of the workspace that answers at an address as people type it; undefined if none does. */
export async function findAliasHolder(
  { db }: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  text: string,
): Promise<store.AliasHolder | undefined> {
  const read = readAlias(text, limits.aliases.bytes);
  if ("problem" in read) return undefined;
  return store.findAliasHolder(db, workspaceId, read.address);
}
