import { codeKind } from "../../edge/routing/route-kinds.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { codeFields, codes, codeValues, presentQr, type QrRow } from "../../store/codes/columns.ts";
import { isSet } from "../../store/resources/kind.ts";
import type { Reversible } from "../resources/revert.ts";
import { publishChange } from "../routing/publish.ts";
import { publishAliases, publishPendingAliases } from "../routing/publish-aliases.ts";
import { changedAddresses } from "./addresses.ts";
import { restoredCode, withRestoredValues } from "./edits.ts";
import { loadReferences, unlinked } from "./references.ts";

/** Codes as resources. */
export const codeResource: Reversible<QrRow> = {
  kind: codes,
  object: "code",
  noun: "QR code",
  nameOf: ({ name, hash }) => name ?? hash,
  fieldsOf: codeFields,
  eventOf({ settings }, { before, after, columns }) {
    const data = presentQr(after, settings.scanOrigin);
    if (before === null) return { kind: "qr.created", data };
    if (before.deletedAt !== null && after.deletedAt !== null) return null;
    const isDeletion = isSet({ columns }, "deletedAt");
    if (isDeletion && after.deletedAt !== null) return { kind: "qr.deleted", data };
    const fields = columns.flatMap(({ key, reported = key }) => reported ?? []);
    return { kind: "qr.updated", data: { ...data, changed: isDeletion ? ["deleted"] : fields } };
  },
  updated: (_, __, now) => ({ updatedAt: now }),
  capsOf: ({ liveCodes, creationsPerDay }) => ({ liveCodes, creationsPerDay }),
  async publish(deps, row, before) {
    await publishChange(deps, codeKind, row.hash, codeRoute(row));
    if (before === null) await publishPendingAliases(deps, row.workspaceId);
    else await publishAliases(deps, row.workspaceId, changedAddresses(before, row));
  },
  async refusalOf(deps, context, row) {
    const given = { before: null, values: row };
    const references = await loadReferences(deps, context, [given], { additions: true });
    return references.refusal ?? unlinked(row, references);
  },
  deleted: (deps, _, row) => ({ ...row, deletedAt: deps.now() }),
  async restored(deps, context, row) {
    // An erased code has no data to look up.
    const given = row.erasedAt === null ? [{ before: null, values: row }] : [];
    const references = await loadReferences(deps, context, given, { additions: true });
    return restoredCode(deps, context, row, references);
  },
  async putBack(deps, context, row, fields) {
    const values = codeValues(fields);
    const references = await loadReferences(deps, context, [{ before: row, values }], { earlier: true });
    return withRestoredValues(deps, context, row, values, references);
  },
};
