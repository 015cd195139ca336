import type { PropsWithChildren } from "hono/jsx";
import type { Qr } from "../../../contract/resources/qr.ts";
import { formatCount } from "../../components/values/format.ts";
import { Thumbnail } from "./cells.tsx";
import { codeTitle } from "../../../domain/codes/titles.ts";

interface Props {
  /** The search whose codes are listed. */
  readonly search: string;
  /** Codes of the workspace. */
  readonly total: number;
}

/** The form around a list of codes, in which they are ticked to be changed together. */
export function Selection({ search, total, children }: PropsWithChildren<Props>) {
  return (
    <form method="post" action="/dashboard/codes/bulk" data-selection="">
      <input type="hidden" name="q" value={search} />
      {children}
      <div class="bulk-bar">
        <button class="button" type="submit">
          Edit selected
        </button>
        <span class="quiet" role="status" data-ticked="" />
        <a class="button" href={`/dashboard/codes/bulk?${new URLSearchParams({ q: search })}`}>
          {search === "" ? `Edit all ${formatCount(total, "code")}` : <AllThatMatch search={search} />}
        </a>
      </div>
    </form>
  );
}

/** The codes that a search finds are counted when the first is ticked, because counting may read many rows. */
const AllThatMatch = ({ search }: { search: string }) => (
  <span
    hx-get={`/dashboard/codes/matches?${new URLSearchParams({ q: search })}`}
    hx-trigger="change once from:closest form"
  >
    Edit all results
  </span>
);

/** The box in front of a code, with its image. */
export function SelectCode({ qr }: { qr: Qr }) {
  return (
    <label class="pick">
      <input type="checkbox" name="id" value={qr.id} />
      <span class="visually-hidden">Select {codeTitle(qr)}</span>
      <Thumbnail qr={qr} />
    </label>
  );
}

/** The box that ticks all codes of the page. It needs scripts. */
export function SelectPage() {
  return (
    <>
      <span class="visually-hidden">Selection and image</span>
      <label class="pick" data-script="" hidden>
        <input type="checkbox" data-all="" />
        <span class="visually-hidden">Select all codes on this page</span>
      </label>
    </>
  );
}
