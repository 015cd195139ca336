import type { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import type { JobChange } from "../../domain/bulk/jobs.ts";
import { formatCount } from "../../ui/values/format.ts";
import type { Names } from "./change-facts.tsx";

/** How many characters of an address or file name a title shows. */
const shownLength = 60;

/** How many tags a title names. */
const namedTags = 3;

/** Describes a change of many codes in few words. @param codes with their number, such as `12 codes` */
export function titleOfChange(change: JobChange, codes: string, names?: Names): string {
  const [first = `Edit ${codes}`, ...others] = partsOf(change, codes, names);
  return others.length === 0 ? first : `${first}, and ${formatCount(others.length, "more change")}`;
}

/** Returns each part of a change as a title, the most informative one first. */
function partsOf(change: JobChange, codes: string, names: Names | undefined): string[] {
  const {
    addTags,
    removeTags,
    folderId,
    status,
    templateId,
    colorConfig,
    shape,
    advanced,
    domain,
    query,
    replace,
  } = change;
  const replaced = replace?.host ?? replace?.prefix;
  const folder = folderId == null ? undefined : names?.folders.get(folderId);
  const template = templateId == null ? undefined : names?.templates.get(templateId);
  const isSwap = addTags?.length === 1 && removeTags?.length === 1;
  const parts = {
    revert: change.revert !== undefined && `Undo a job for ${codes}`,
    delete: change.delete === true && `Delete ${codes}`,
    replace: replaced && `Replace ${short(replaced.from)} with ${short(replaced.to)} in ${codes}`,
    status: status && `${status === "paused" ? "Pause" : "Resume"} ${codes}`,
    folder:
      folderId !== undefined &&
      (folderId === null ? `Remove ${codes} from folders` : `Move ${codes} to ${folder ?? "a folder"}`),
    swapTags: isSwap && `Replace ${tagsText(removeTags)} with ${addTags.map(short)} in ${codes}`,
    addTags: !isSwap && addTags && `Add ${tagsText(addTags)} to ${codes}`,
    removeTags: !isSwap && removeTags && `Remove ${tagsText(removeTags)} from ${codes}`,
    template:
      templateId !== undefined &&
      (templateId === null
        ? `Detach ${codes} from templates`
        : `Apply ${template === undefined ? "a template" : `template ${template}`} to ${codes}`),
    design:
      [colorConfig, shape, advanced].some((part) => part !== undefined) && `Change the design of ${codes}`,
    domain:
      domain !== undefined &&
      (domain === null
        ? `Remove the domain from ${codes}`
        : `Set ${short(domain)} as the domain of ${codes}`),
    query: query !== undefined && `${query === "off" ? "Drop" : "Pass on"} the query of scans of ${codes}`,
  };
  return Object.values(parts).filter((part): part is string => typeof part === "string");
}

/** Says that a change of the list's bar was made. @param codes with their number, such as `12 codes` */
export function doneText(change: BulkChange, codes: string, names: Names): string {
  const { addTags, folderId, status } = change;
  if (change.delete === true) return `${codes} deleted.`;
  if (addTags !== undefined) return `${codes} tagged ${addTags.map(short).join(", ")}.`;
  if (status !== undefined) return `${codes} ${status === "paused" ? "paused" : "resumed"}.`;
  if (folderId === null) return `${codes} taken out of folders.`;
  return `${codes} moved to ${names.folders.get(folderId ?? "") ?? "another folder"}.`;
}

function tagsText(tags: readonly string[]): string {
  if (tags.length > namedTags) return formatCount(tags.length, "tag");
  return `${tags.length === 1 ? "tag" : "tags"} ${tags.map(short).join(", ")}`;
}

/** Returns as much of an address or file name as a title shows. */
export const short = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
