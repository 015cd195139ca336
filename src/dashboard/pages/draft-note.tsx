import type { SavedDraft } from "../../domain/pages/drafts.ts";
import type { VersionedPage } from "../../domain/pages/pages.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatMinute } from "../../ui/values/format.ts";
import { differences } from "./conflicts.ts";
import { formOfPage } from "./form-values.ts";

interface Props {
  readonly draft: SavedDraft;
  readonly edited: VersionedPage;
  readonly timeZone: string;
}

/** Who saved a draft, and when. */
export const savedBy = ({ savedBy: name, updatedAt }: SavedDraft, timeZone: string): string =>
  `${name ?? "A former member"} saved a draft on ${formatMinute(new Date(updatedAt).toISOString(), timeZone)}.`;

/** Says in the editor whose draft is shown, and what was published since it was begun. */
export function DraftNote({ draft, edited: { page, version }, timeZone }: Props) {
  const isBehind = draft.baseVersion !== version;
  const changed = isBehind
    ? differences(formOfPage(draft.content, { page: version, draft: null }), page)
    : [];
  return (
    <Notice kind={changed.length > 0 ? "warn" : "info"}>
      <p>{savedBy(draft, timeZone)} Visitors don't see it until it's published.</p>
      {changed.length > 0 && (
        <p>
          The page has changed since this draft was begun. They differ in:{" "}
          {changed.map(({ label }) => label.toLowerCase()).join(", ")}.
        </p>
      )}
    </Notice>
  );
}
