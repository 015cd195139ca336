import { listTags, type TagCount } from "../../domain/folders/tags.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { scansOfTags } from "../../domain/scans/groups.ts";
import { scanColumns } from "../../ui/charts/scan-columns.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MenuLinks, RowMenu } from "../../ui/menu.tsx";
import { Pages } from "../../ui/pages.tsx";
import { codesColumn, Table } from "../../ui/table.tsx";
import { searchAddress, writeSearch } from "../codes/list/search.ts";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";

const path = "/dashboard/tags";

/** The tags of the workspace's codes, with links to their codes and reports. */
export async function tagList({ deps, context, query }: DashboardRequest): Promise<PageResponse> {
  const after = query.get("cursor") ?? "";
  const { tags, next } = await listTags(deps, context, after);
  const names = tags.map(({ tag }) => tag);
  const scans = await ifAvailable(deps, () => scansOfTags(deps, context, names));
  return {
    title: "Tags",
    content: (
      <>
        <Head title="Tags" />
        {tags.length === 0 && after === "" ? (
          <Empty
            title="No tags yet"
            text="Tags are words that you add to codes, such as a season or a place. You add them where you edit a code."
          >
            <a class="button" href="/dashboard/codes">
              Show codes
            </a>
          </Empty>
        ) : (
          <Table
            kind="rows-of-names"
            rows={tags}
            columns={[
              { head: "Tag", cell: TagName },
              codesColumn,
              ...(scans === undefined
                ? []
                : scanColumns<TagCount>(({ tag }) => scans && (scans.get(tag) ?? []))),
            ]}
            actions={TagMenu}
          />
        )}
        <Pages address={path} isFirst={after === ""} nextCursor={next} />
      </>
    ),
  };
}

const TagName = ({ tag }: TagCount) => (
  <a class="name" dir="auto" href={searchAddress({ words: "", tag })}>
    <Icon name="tag" size={18} />
    <span>{tag}</span>
  </a>
);

function TagMenu({ tag }: TagCount) {
  const parameters = new URLSearchParams({ tag }).toString();
  const q = writeSearch({ words: "", tag });
  return (
    <RowMenu name={tag} items={[["Show report", "layout-dashboard", `/dashboard?${parameters}`]]}>
      <May permission="codes.write">
        <MenuLinks
          items={[
            ["Share report", "share-2", `/dashboard/share?${parameters}`],
            ["Edit codes", "pencil", `/dashboard/codes/bulk?${new URLSearchParams({ q })}`],
            ["Rename", "tag", `${path}/rename?${parameters}`],
            "divider",
            ["Delete", "trash", `${path}/delete?${parameters}`],
          ]}
        />
      </May>
    </RowMenu>
  );
}
