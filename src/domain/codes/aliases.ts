import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { readAlias } from "../../lib/web/alias.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import { findAliasHolders } from "../../store/domains/aliases.ts";
import { storeChanges } from "../../store/resources/changes.ts";
import { asConflict, retryOnConflict } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { changeOf } from "../resources/resource.ts";
import { publishAliases } from "../routing/publish-aliases.ts";
import { changedAddresses, heldAlias } from "./addresses.ts";
import { updateQr } from "./codes.ts";
import { changedCode } from "./edits.ts";
import { loadReferences } from "./references.ts";
import { requireQr } from "./require-code.ts";
import { codeResource } from "./resource.ts";

/**
 * Gives a code another address, which it takes from the code that has it, if any. No scan sees both or neither.
 * @throws not_found; invalid_input
 */
export async function addAlias(deps: Deps, context: WorkspaceContext, id: string, text: string): Promise<Qr> {
  requirePermission(context, "codes.write");
  const read = readAlias(text, limits.aliases.bytes);
  if ("problem" in read) throw invalid("alias", read.problem);
  return retryOnConflict(deps, "QR code", async (note) => {
    const code = note(await requireQr(deps, context, id));
    if (code.aliasAddresses?.some(([address]) => address === read.address)) {
      return presentQr(code, deps.settings.scanOrigin);
    }
    const aliases = [...(code.aliases ?? []), read.shown];
    if (aliases.length > limits.aliases.count) {
      throw invalid("alias", `can't be added: a code can have at most ${limits.aliases.count} addresses`);
    }
    const holder = (await findAliasHolders(deps.db, context.workspaceId, [read.address])).get(read.address);
    if (holder === undefined) {
      return asConflict(async () => (await updateQr(deps, context, id, { aliases }, [code.version])).qr);
    }
    const other = note(await requireQr(deps, context, holder.id, "shown"));
    return move(deps, context, read.address, other, code, aliases);
  });
}

/** Moves an alias from one code to another, in one transaction. */
async function move(
  deps: Deps,
  context: WorkspaceContext,
  address: string,
  from: QrRow,
  to: QrRow,
  aliases: readonly string[],
): Promise<Qr | "conflict"> {
  const kept = (from.aliases ?? []).filter((_, i) => from.aliasAddresses?.[i]?.[0] !== address);
  const input = { aliases };
  const lookups = await loadReferences(deps, context, [input]);
  // The address is about to be free.
  const holders = new Map([...lookups.addresses.holders].filter(([held]) => held !== address));
  const edited = await changedCode(deps, context, to, input, {
    ...lookups,
    addresses: { ...lookups.addresses, holders },
  });
  const keptAddresses = (from.aliasAddresses ?? []).filter(([each]) => each !== address);
  const [aliasesLeft, aliasAddresses] = kept.length === 0 ? [null, null] : [kept, keptAddresses];
  const left = { ...from, aliases: aliasesLeft, aliasAddresses };
  if (heldAlias(from, left) !== undefined) {
    throw invalid("alias", "can't be moved, because the operator has suspended the code that has it");
  }
  const [first, second] = [
    changeOf(deps, codeResource, from, left, context),
    changeOf(deps, codeResource, to, edited, context),
  ];
  if (first === undefined || second === undefined) return "conflict";
  // The address is unique, so the code that loses it comes first.
  const changes = [
    { ...first, requires: { id: to.id, version: to.version } },
    { ...second, requires: { id: from.id, version: first.after.version } },
  ];
  try {
    const { ids } = await storeChanges(deps.db, codeResource.kind, context.workspaceId, changes);
    if (ids.size < changes.length) return "conflict";
  } catch (error) {
    if (isUniqueViolation(error, "aliases.")) return "conflict";
    throw error;
  }
  await publishAliases(deps, context.workspaceId, changedAddresses(from, left));
  return presentQr(second.after, deps.settings.scanOrigin);
}
