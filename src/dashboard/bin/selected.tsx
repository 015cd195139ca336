import { limits } from "../../contract/limits.ts";
import { BinKind } from "../../contract/resources/history/bin.ts";
import { eraseQr, restoreQr } from "../../domain/codes/codes.ts";
import { restoreSavedList } from "../../domain/codes/saved-lists.ts";
import type { Member } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import { restoreDomain } from "../../domain/domains/domains.ts";
import { asServiceError } from "../../domain/errors.ts";
import { restoreFolder } from "../../domain/folders/folders.ts";
import { restorePage } from "../../domain/pages/pages.ts";
import { restoreTemplate } from "../../domain/templates/templates.ts";
import { Head } from "../../ui/head.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";

const back = { path: "/dashboard/bin", name: "Bin" };

/** How many items a request changes. Each takes about seven queries of the 50 that the Free plan allows. */
const atOnce = 4;

type Verb = (deps: Deps, context: Member, id: string) => Promise<unknown>;

const restoring: Readonly<Record<BinKind, Verb>> = {
  code: restoreQr,
  page: restorePage,
  folder: restoreFolder,
  template: restoreTemplate,
  saved_list: restoreSavedList,
  domain: restoreDomain,
};

interface Item {
  readonly kind: BinKind;
  readonly id: string;
}

/** The value of an item's checkbox. */
export const selectionOf = ({ kind, id }: Item): string => `${kind} ${id}`;

/** Returns the selected items, at most a page of them. */
function readSelected({ form, query }: DashboardRequest): readonly Item[] {
  const values = [...new Set([...query.getAll("id"), ...form.getAll("id")])].slice(0, limits.binList.max);
  return values.flatMap((value) => {
    const [, name, id] = /^(\w+) ([\da-f-]{36})$/.exec(value) ?? [];
    const { data: kind } = BinKind.safeParse(name);
    return kind === undefined || id === undefined ? [] : { kind, id };
  });
}

const addressOf = (verb: "restore" | "erase", items: readonly Item[]): string =>
  `${back.path}/${verb}?${new URLSearchParams(items.map((item) => ["id", selectionOf(item)]))}`;

/** Asks before the selected items are restored, such as those that one request left. */
export function confirmRestoration(request: DashboardRequest): PageResponse {
  const items = readSelected(request);
  if (items.length === 0) return nothingSelected;
  const title = `Restore ${formatCount(items.length, "item")}?`;
  return confirmPage({ title, action: "Restore", back, isSafe: true }, <p>They become as they were.</p>);
}

/** Restores the selected items. If there are many, restores some and asks again. */
export const restoreSelected = (request: DashboardRequest): Promise<DashboardResponse> =>
  changeEach(request, readSelected(request), "restore", ({ kind }) => restoring[kind]);

/** Asks before the selected codes are erased. */
export function confirmErasure(request: DashboardRequest): PageResponse {
  const items = readSelected(request);
  const codes = items.filter(({ kind }) => kind === "code");
  const others = items.length - codes.length;
  if (codes.length === 0) return nothingSelected;
  return confirmPage(
    { title: `Erase ${formatCount(codes.length, "code")}?`, action: "Erase", back },
    <>
      <p>
        <strong>Erased codes can't be restored.</strong> Their names, destinations and designs are removed.
        Their scans stay in your reports, and their short links never lead anywhere again.
      </p>
      {others > 0 && (
        <p>
          {formatCount(others, "selected item")}{" "}
          {others === 1 ? "isn't a code and stays" : "aren't codes and stay"} in the bin.
        </p>
      )}
    </>,
  );
}

/** Erases the selected codes. If there are many, erases some and asks again. */
export const eraseSelected = (request: DashboardRequest): Promise<DashboardResponse> =>
  changeEach(
    request,
    readSelected(request).filter(({ kind }) => kind === "code"),
    "erase",
    () => eraseQr,
  );

async function changeEach(
  { deps, context }: DashboardRequest,
  items: readonly Item[],
  verb: "restore" | "erase",
  verbOf: (item: Item) => Verb,
): Promise<DashboardResponse> {
  if (items.length === 0) return nothingSelected;
  const rest = items.slice(atOnce);
  let done = 0;
  let problem = "";
  for (const item of items.slice(0, atOnce)) {
    try {
      await verbOf(item)(deps, context, item.id);
      done += 1;
    } catch (error) {
      const known = asServiceError(error);
      if (known === undefined || known.status >= 500) throw error;
      problem ||= ` One that couldn't be: ${known.message}`;
    }
  }
  const about = `${formatCount(done, "item")} ${verb}d.${problem}`;
  return { seeOther: rest.length > 0 ? addressOf(verb, rest) : back.path, flash: "itemsChanged", about };
}

const nothingSelected: PageResponse = {
  title: "Nothing selected",
  content: (
    <>
      <Head title="Nothing selected" back={back} />
      <p>Select what to restore, or the codes to erase, in the bin.</p>
      <a class="button" href={back.path}>
        Back to the bin
      </a>
    </>
  ),
};
