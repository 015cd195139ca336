import { listTags } from "../../domain/folders/tags.ts";
import { searchAddress } from "../codes/list/search.ts";
import { codeCount } from "../components/values/format.ts";
import { Empty } from "../components/empty.tsx";
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
            text="Tags are words that you add to codes, such as a season or a place. Add them in the form of a code, separated by commas."
          >
            <a class="button" href="/dashboard/codes">
              Go to your codes
            </a>
          </Empty>
        ) : (
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
        )}
        <Pages address={path} isFirst={after === ""} nextCursor={next} />
      </>
    ),
  };
}

function TagRow({ tag, codes }: { tag: string; codes: number }) {
  const parameters = new URLSearchParams({ tag }).toString();
  return (
    <tr>
      <td>
        <a class="name" href={searchAddress({ words: "", tag })}>
          {tag}
        </a>
      </td>
      <NumberCell unit={codes === 1 ? "code" : "codes"}>{codeCount(codes)}</NumberCell>
      <td>
        <div class="buttons">
          <a class="button" href={`/dashboard?${parameters}`}>
            Report<span class="visually-hidden"> on {tag}</span>
          </a>
          <a class="button" href={`/dashboard/share?${parameters}`}>
            Share<span class="visually-hidden"> a report on {tag}</span>
          </a>
        </div>
      </td>
    </tr>
  );
}
