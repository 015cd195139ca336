import { AliasInput } from "../../../contract/resources/codes/qr.ts";
import { addAlias } from "../../../domain/codes/aliases.ts";
import { getQr } from "../../../domain/codes/codes.ts";
import { codeTitle, findCodeWords } from "../../../domain/codes/titles.ts";
import { findAliasHolder } from "../../../domain/domains/alias-holders.ts";
import { confirmPage } from "../../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse, SeeOther } from "../../frame/request.ts";
import { submitForm } from "../../frame/submit-form.ts";
import { showCode } from "../show.tsx";

/** The code of the workspace that answers at an address, unless it is a given one. */
async function otherHolder({ deps, context }: DashboardRequest, id: string, alias: string) {
  const holder = await findAliasHolder(deps, context, alias);
  return holder?.id === id ? undefined : holder;
}

/** Asks before an address is moved from the code that has it. @throws not_found */
export async function confirmAliasMove(request: DashboardRequest): Promise<PageResponse | SeeOther> {
  const { deps, context, param, query } = request;
  const qr = await getQr(deps, context, param("id"));
  const path = `/dashboard/codes/${qr.id}`;
  const alias = query.get("alias") ?? "";
  const holder = await otherHolder(request, qr.id, alias);
  if (holder === undefined) return { seeOther: path };
  const title = (await findCodeWords(deps, context, [holder.id])).get(holder.id)?.title ?? holder.hash;
  return confirmPage(
    {
      title: "Move this address?",
      action: "Move address",
      back: { path, name: codeTitle(qr) },
      values: { alias, move: "on" },
      isSafe: true,
    },
    <>
      <p class="break">
        <strong>{alias}</strong> leads to{" "}
        {holder.isDeleted ? (
          `the deleted code ${title}`
        ) : (
          <a href={`/dashboard/codes/${holder.id}`} dir="auto">
            {title}
          </a>
        )}
        .
      </p>
      <p class="break">
        Once moved, it leads to {codeTitle(qr)}, within a second. {title} keeps its other addresses.
      </p>
    </>,
  );
}

/**
 * Gives a code another address. Asks first if another code has it; shows the form again if that fails. @throws not_found
 */
export async function saveAlias(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form, param } = request;
  const { id } = await getQr(deps, context, param("id"));
  const alias = (form.get("alias") ?? "").trim();
  if (form.get("move") !== "on" && (await otherHolder(request, id, alias)) !== undefined) {
    return { seeOther: `/dashboard/codes/${id}/aliases?${new URLSearchParams({ alias })}` };
  }
  const outcome = await submitForm(AliasInput, { alias }, (input) =>
    addAlias(deps, context, id, input.alias),
  );
  if ("done" in outcome) return { seeOther: `/dashboard/codes/${id}`, flash: "aliasAdded", about: alias };
  const { problems, status } = outcome.rejection;
  const problem = Object.values(problems)[0] ?? "isn't valid";
  return showCode(request, { field: "alias", values: form, problem, status });
}
