import { limits } from "../../contract/limits.ts";
import type { PageContent } from "../../contract/resources/pages.ts";
import { pageKind } from "../../edge/routing/route-kinds.ts";
import { pageRoute } from "../../edge/routing/routes.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { pageKey } from "../../protocol/routes.ts";
import { countCodesLinkingTo, type PageRow, pageKind as storedPages } from "../../store/pages.ts";
import { isSet } from "../../store/resources/kind.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { suspensionError } from "../context/suspension.ts";
import { ServiceError } from "../errors.ts";
import { notRevertible, type Reversible, requireRestorable } from "../resources/revert.ts";
import { publishChange } from "../routing/publish.ts";
import { requireUsableAddresses, validateContent } from "./content.ts";
import { requirePagesInPlan } from "./plan.ts";

/** Hosted pages as resources. */
export const pageResource: Reversible<PageRow> = {
  kind: storedPages,
  object: "page",
  noun: "Page",
  nameOf: ({ content }) => content.title,
  fieldsOf: ({ content, formClosed, suspended }) => ({ ...content, formClosed, suspended }),
  // Closing a form isn't an edit by the owner.
  updated: (_, columns, now) => (isSet({ columns }, "formClosed") ? {} : { updatedAt: now }),
  capsOf: ({ pages }) => ({ pages }),
  publish: (deps, row) => publishChange(deps, pageKind, pageKey(row.id), pageRoute(row)),
  refusalOf: async (deps, context) =>
    (await suspensionError(deps, context)) ??
    planCapError(
      context,
      `${planOf(context).pages} hosted pages, including those deleted in the last ${limits.deletedDays} days`,
      "Upgrade to create more.",
    ),
  async deleted(deps, _, row) {
    const codes = await countCodesLinkingTo(deps.db, row.workspaceId, row.id);
    if (codes === 0) return { ...row, deletedAt: deps.now() };
    const linking = codes === 1 ? "A QR code links" : `${codes} QR codes link`;
    const remedy = "Change where they link to, or delete them first.";
    throw new ServiceError("invalid_input", `${linking} to this page. ${remedy}`);
  },
  rules: [
    { columns: ["deletedAt"], check: (_, __, context) => requirePagesInPlan(context) },
    { columns: ["content", "deletedAt"], check: requireUsableAddresses },
  ],
  restored(deps, _, row) {
    requireRestorable(deps, "Page", row);
    return { ...row, deletedAt: null };
  },
  async putBack(deps, _, row, fields) {
    // Submissions close and reopen a form, and the operator suspends.
    if ("formClosed" in fields || "suspended" in fields) throw notRevertible();
    const earlier = { ...row.content, ...fields };
    return { ...row, ...contentColumns(await validateContent(deps, earlier, earlier)) };
  },
};

/** Returns the columns of a page's content. */
export const contentColumns = (content: PageContent): Pick<PageRow, "content" | "titleFolded"> => ({
  content,
  titleFolded: foldCase(content.title),
});
