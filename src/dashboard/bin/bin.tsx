import { limits } from "../../contract/limits.ts";
import { type BinItem, BinKind } from "../../contract/resources/history/bin.ts";
import type { Permission } from "../../contract/roles.ts";
import { listBin } from "../../domain/bin.ts";
import { type CodeWords, findCodeWords } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Table } from "../../ui/table.tsx";
import { actorName } from "../../ui/values/actors.ts";
import { formatDate } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { selectionOf } from "./selected.tsx";

const path = "/dashboard/bin";

interface KindInBin {
  readonly name: string;
  readonly many: string;
  readonly icon: IconName;
  readonly area: string;
  /** One's role must allow this to restore one. */
  readonly permission: Permission;
}

const permission = "codes.write";

/** Each kind of thing in the bin. */
const kinds: Readonly<Record<BinKind, KindInBin>> = {
  code: { name: "Code", many: "Codes", icon: "qr-code", area: "codes", permission },
  page: { name: "Page", many: "Pages", icon: "panels-top-left", area: "pages", permission },
  folder: { name: "Folder", many: "Folders", icon: "folder", area: "folders", permission },
  template: { name: "Template", many: "Templates", icon: "palette", area: "templates", permission },
  saved_list: {
    ...{ name: "Saved list", many: "Saved lists", icon: "bookmark", area: "lists" },
    permission: "codes.read",
  },
  domain: { name: "Domain", many: "Domains", icon: "globe", area: "domains", permission: "domains" },
};

/** The deleted codes, pages, folders, templates, domains and saved lists that can be restored, the last deleted first. */
export async function bin(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query, timeZone } = request;
  const cursor = query.get("cursor") ?? undefined;
  const kind = BinKind.safeParse(query.get("kind")).data;
  const [{ items, nextCursor }, zone] = await Promise.all([
    listBin(deps, context, { kind, cursor, limit: limits.binList.default }),
    timeZone(),
  ]);
  const codes = items.flatMap((item) => (item.kind === "code" ? item.id : []));
  const words = await findCodeWords(deps, context, codes);
  const mayWrite = may(context, "codes.write");
  const address = (of?: BinKind) => (of === undefined ? path : `${path}?kind=${of}`);
  const choices = [undefined, ...BinKind.options].map((of) => ({
    href: address(of),
    text: of === undefined ? "All" : kinds[of].many,
    current: of === kind,
  }));
  return {
    title: "Bin",
    content: (
      <>
        <Head title="Bin" />
        <p class="quiet">
          Deleted items stay here for {limits.deletedDays} days. Restoring brings back a code's short link and
          scans, and a folder's codes. Domains need to be verified again.
        </p>
        <div class="kinds">
          <Segmented label="Kind" items={choices} />
        </div>
        {items.length === 0 ? (
          <Nothing kind={kind} />
        ) : (
          <Table
            kind="records bin"
            rows={items}
            columns={[
              {
                head: mayWrite ? <SelectPage /> : "Name",
                cell: (item) => <Deleted item={item} words={words.get(item.id)} mayWrite={mayWrite} />,
              },
              {
                head: "Deleted",
                kind: "nowrap",
                cell: ({ deletedAt }) => <RelativeTime time={deletedAt} now={deps.now()} timeZone={zone} />,
              },
              ["By", ({ deletedBy }) => deletedBy !== null && actorName(deletedBy)],
              [
                "Can be restored until",
                ({ restorableUntil }) => formatDate(restorableUntil, zone),
                { kind: "nowrap" },
              ],
            ]}
            actions={
              mayWrite
                ? (item) => (
                    <>
                      {may(context, kinds[item.kind].permission) && (
                        <Action path={`/dashboard/${kinds[item.kind].area}/${item.id}/restore`}>
                          Restore<span class="visually-hidden"> {titleOf(item, words.get(item.id))}</span>
                        </Action>
                      )}
                      {item.kind === "code" && (
                        <a class="button plain" href={`/dashboard/codes/${item.id}/erase`}>
                          Erase<span class="visually-hidden"> {titleOf(item, words.get(item.id))}</span>
                        </a>
                      )}
                    </>
                  )
                : undefined
            }
          />
        )}
        {mayWrite && items.length > 0 && <Selection />}
        <Pages address={address(kind)} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

const titleOf = ({ name }: BinItem, words: CodeWords | undefined): string => words?.title ?? name ?? "";

const form = "binned";

/** The heading of names, with the checkbox that selects all of the page. That requires scripts. */
const SelectPage = () => (
  <span class="binned">
    <label class="pick of-page">
      <input type="checkbox" form={form} data-all="" />
      <span class="visually-hidden">Select all on this page</span>
    </label>
    Name
  </span>
);

/** Actions on the selected items. With scripts, the bar is shown once one is selected. */
const Selection = () => (
  <PostForm
    class="selection"
    id={form}
    action={`${path}/restore`}
    hx-boost="false"
    data-selection=""
    data-draft="none"
  >
    <span class="selected" role="status" data-selected="">
      Selected items
    </span>
    <button class="button plain" type="submit">
      <Icon name="archive-arrow-up" />
      Restore
    </button>
    <button class="button plain" type="submit" formmethod="get" formaction={`${path}/erase`}>
      <Icon name="trash" />
      Erase
    </button>
  </PostForm>
);

interface DeletedProps {
  readonly item: BinItem;
  readonly words: CodeWords | undefined;
  readonly mayWrite: boolean;
}

/** The name of a deleted thing, above its kind or, for a code, its short link. */
function Deleted({ item, words, mayWrite }: DeletedProps) {
  const { icon, name } = kinds[item.kind];
  return (
    <div class="binned">
      {mayWrite && (
        <label class="pick">
          <input type="checkbox" name="id" value={selectionOf(item)} form={form} />
          <span class="visually-hidden">Select {titleOf(item, words)}</span>
        </label>
      )}
      <Icon name={icon} size={20} />
      <div>
        <strong>{titleOf(item, words)}</strong>
        <span class={words === undefined ? "second" : "second address"}>
          {words === undefined ? name : withoutScheme(words.scanUrl)}
        </span>
      </div>
    </div>
  );
}

const Nothing = ({ kind }: { kind: BinKind | undefined }) => (
  <Empty
    title={kind === undefined ? "The bin is empty" : `No deleted ${kinds[kind].many.toLowerCase()}`}
    text={`Deleted ${kind === undefined ? "codes, pages, folders, templates, domains and saved lists" : kinds[kind].many.toLowerCase()} stay here for ${limits.deletedDays} days, to be restored with everything they had.`}
  />
);
