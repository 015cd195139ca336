import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { type Alias, readAlias } from "../../lib/web/alias.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { findAliasHolder } from "../../store/domains/aliases.ts";
import { actOnCode } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound } from "../errors.ts";
import { changeBoth } from "../resources/change.ts";
import { heldAlias } from "./addresses.ts";
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
  const find = () =>
    Promise.all([requireQr(deps, context, id), findAliasHolder(deps.db, context.workspaceId, read.address)]);
  return actOnCode(deps, find, ([code, holder]) => {
    if (holder?.id === id) return async () => presentQr(code, deps.settings.scanOrigin);
    if (holder !== undefined) return () => move(deps, context, read, holder.id, id);
    const aliases = withAlias(code, read.shown);
    return async () => (await updateQr(deps, context, id, { aliases }, [code.version])).qr;
  });
}

/** Moves an alias from one code to another, in one transaction. @throws not_found if one of them has changed so since */
async function move(
  deps: Deps,
  context: WorkspaceContext,
  { address, shown }: Alias,
  from: string,
  to: string,
): Promise<Qr> {
  // The address is unique, so the code that loses it comes first.
  const [, { row }] = await changeBoth(deps, context, codeResource, [from, to], async (loser, winner) => {
    if (winner.deletedAt !== null) throw notFound("QR code");
    const input = { aliases: withAlias(winner, shown) };
    const references = await loadReferences(deps, context, [{ before: winner, values: input }]);
    // The address is about to be free.
    const others = new Map([...references.aliasHolders].filter(([held]) => held !== address));
    const edited = await changedCode(deps, context, winner, input, { ...references, aliasHolders: others });
    const left = withoutAlias(loser, address);
    if (heldAlias(loser, left) !== undefined) {
      throw invalid("alias", "can't be moved, because the operator has suspended the code that has it");
    }
    return [left, edited];
  });
  return presentQr(row, deps.settings.scanOrigin);
}

/** @throws invalid_input at the limit */
function withAlias(code: QrRow, shown: string): string[] {
  const aliases = [...(code.aliases ?? []), shown];
  if (aliases.length <= limits.aliases.count) return aliases;
  throw invalid("alias", `can't be added: a code can have at most ${limits.aliases.count} addresses`);
}

/** @throws not_found if the code doesn't have it */
function withoutAlias(code: QrRow, address: string): QrRow {
  const aliasAddresses = (code.aliasAddresses ?? []).filter(([each]) => each !== address);
  const aliases = (code.aliases ?? []).filter((_, i) => code.aliasAddresses?.[i]?.[0] !== address);
  if (aliasAddresses.length === code.aliasAddresses?.length) throw notFound("Alias");
  return aliases.length === 0
    ? { ...code, aliases: null, aliasAddresses: null }
    : { ...code, aliases, aliasAddresses };
}
