import { limits } from "../../contract/limits.ts";
import { listTags, type TagCount } from "../../domain/folders/tags.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { scansOfTags } from "../../domain/scans/groups.ts";
import { scanColumns } from "../../ui/charts/scan-columns.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { emptyForm } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
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
        <May permission="codes.write">
          <NewTag />
        </May>
        {tags.length === 0 && after === "" ? (
          <Empty
            title="No tags yet"
            text="Tags are words that you add to codes, such as a season or a place. Add one to codes here, or where you edit a code."
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

/** Tags exist on codes alone, so a new one is a change of those that a search finds, which the next page shows first. */
const NewTag = () => (
  <PostForm class="in-line" action="/dashboard/codes/bulk">
    <input type="hidden" name="all" value="on" />
    <input type="hidden" name="action" value="tag" />
    <TextField form={emptyForm} name="addTags" label="New tag" required maxLength={limits.tags.length} />
    <TextField
      form={emptyForm}
      name="q"
      label="Which codes"
      placeholder="Such as menu or folder:Cafés"
      maxLength={limits.name}
    />
    <button class="button" type="submit">
      Choose codes
    </button>
  </PostForm>
);

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
