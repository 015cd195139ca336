import { listTags } from "../../domain/folders/tags.ts";
import { searchAddress, writeSearch } from "../codes/list/search.ts";
import { codeCount } from "../components/values/format.ts";
import { Empty } from "../components/empty.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu, MenuDivider, MenuLink } from "../components/menu.tsx";
import { Head } from "../components/head.tsx";
import { NumberCell } from "../components/values/cells.tsx";
import { Pages } from "../components/pages.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";

const path = "/dashboard/tags";

/** The tags of the workspace's codes, with their codes and reports. */
export async function tagList({ deps, context, query }: DashboardRequest): Promise<PageResponse> {
  const after = query.get("cursor") ?? "";
  const { tags, next } = await listTags(deps, context, after);
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
          <div class="fitting">
            <table class="table rows-of-names">
              <thead>
                <tr>
                  <th scope="col">Tag</th>
                  <th scope="col" class="number">
                    Codes
                  </th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {tags.map(({ tag, codes }) => (
                  <TagRow tag={tag} codes={codes} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <Pages address={path} isFirst={after === ""} nextCursor={next} />
      </>
    ),
  };
}

function TagRow({ tag, codes }: { tag: string; codes: number }) {
  const parameters = new URLSearchParams({ tag }).toString();
  const q = writeSearch({ words: "", tag });
  return (
    <tr>
      <td>
        <a class="name" href={searchAddress({ words: "", tag })}>
          <Icon name="tag" size={18} />
          <span>{tag}</span>
        </a>
      </td>
      <NumberCell unit={codes === 1 ? "code" : "codes"}>{codeCount(codes)}</NumberCell>
      <td class="end">
        <Menu label={`Actions for ${tag}`} tip="Actions" icon="ellipsis" button="button plain">
          <MenuLink href={`/dashboard?${parameters}`} icon="layout-dashboard">
            Show report
          </MenuLink>
          <MenuLink href={`/dashboard/share?${parameters}`} icon="share-2">
            Share report
          </MenuLink>
          <MenuLink href={`/dashboard/codes/bulk?${new URLSearchParams({ q })}`} icon="pencil">
            Edit codes
          </MenuLink>
          <MenuLink href={`${path}/rename?${parameters}`} icon="tag">
            Rename
          </MenuLink>
          <MenuDivider />
          <MenuLink href={`${path}/delete?${parameters}`} icon="trash" danger>
            Delete
          </MenuLink>
        </Menu>
      </td>
    </tr>
  );
}
