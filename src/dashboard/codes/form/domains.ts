import type { Domain } from "../../../contract/resources/domains.ts";
import { withFullStop } from "../../../contract/sentences.ts";
import { findCodeWords } from "../../../domain/codes/titles.ts";
import { findAliasHolder } from "../../../domain/domains/alias-holders.ts";
import { isInUse, listDomains } from "../../../domain/domains/domains.ts";
import { linesOf } from "../../../lib/text/words.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import type { Rejection } from "../../frame/submit-form.ts";

/** Returns the values of a new code's form with its domain: that of new codes, unless they name one. */
export async function withDefaultDomain(
  { deps, context }: DashboardRequest,
  values: URLSearchParams,
): Promise<URLSearchParams> {
  if (values.has("domain")) return values;
  const { domains } = await listDomains(deps, context);
  const found = domains.find((domain) => domain.isDefault && isInUse(domain));
  return found === undefined ? values : withDomain(values, found);
}

/** Returns the values of a new code's form after another domain was chosen. */
export async function withChosenDomain(
  { deps, context }: DashboardRequest,
  values: URLSearchParams,
): Promise<URLSearchParams> {
  const { domains } = await listDomains(deps, context);
  const found = domains.find(({ host }) => host === values.get("domain"));
  const result = new URLSearchParams(values);
  result.set("query", found?.query ?? "off");
  return result;
}

function withDomain(values: URLSearchParams, { host, query }: Domain): URLSearchParams {
  const result = new URLSearchParams(values);
  result.set("domain", host);
  if (!values.has("query")) result.set("query", query);
  return result;
}

/** Words the problems of a form's aliases for the one field that lists them, with the code that has one already. */
export async function aboutAliases(request: DashboardRequest, rejection: Rejection): Promise<Rejection> {
  const lines = linesOf(request.form.get("aliases") ?? "");
  const problems = await Promise.all(
    Object.entries(rejection.problems).map(async ([field, problem]): Promise<[string, string]> => {
      const [, index] = /^aliases\.(\d+)$/.exec(field) ?? [];
      if (index === undefined) return [field, problem];
      const at = Number(index);
      const title = rejection.status === 409 ? await titleOfHolder(request, lines[at] ?? "") : undefined;
      const subject = lines.length === 1 ? "This address" : `Line ${at + 1}`;
      return [
        "aliases",
        title === undefined
          ? withFullStop(`${subject} ${problem}`)
          : `${subject} leads to ${title} already. To move it, add it on this code's own page.`,
      ];
    }),
  );
  return { ...rejection, problems: Object.fromEntries(problems) };
}

async function titleOfHolder(
  { deps, context }: DashboardRequest,
  address: string,
): Promise<string | undefined> {
  const holder = await findAliasHolder(deps, context, address);
  if (holder === undefined) return undefined;
  return (await findCodeWords(deps, context, [holder.id])).get(holder.id)?.title;
}
