import { limits } from "../../contract/limits.ts";
import type { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import type { BulkSample, ExaminedChange } from "../../domain/bulk/changes/preview.ts";
import { FormKey } from "../../ui/forms/buttons.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Thumbnail } from "../../ui/values/code-image.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { NameAndDestination } from "../codes/list/cells.tsx";
import { ChangeFacts, type Names } from "./change-facts.tsx";
import { titleOfChange } from "./change-title.ts";
import { type Difference, differencesOf } from "./differences.ts";
import type { Selected } from "./selection.ts";

interface Props {
  readonly change: BulkChange;
  readonly look: ExaminedChange;
  readonly names: Names;
  readonly selected: Selected;
  /** The entries of the form with the choices. */
  readonly entries: URLSearchParams;
}

/** Returns whether all codes of the selection were examined, so that the job contains exactly those that change. */
const isComplete = ({ matched, examined }: ExaminedChange): boolean => examined >= matched;

/** Returns how many codes the job will contain. */
const jobSize = (look: ExaminedChange): number => (isComplete(look) ? look.changing.length : look.matched);

/** The headline: how many codes a change really affects. */
export function headlineOf(change: BulkChange, look: ExaminedChange): string {
  const { changing, matched } = look;
  if (change.delete === true) return `Delete ${formatCount(jobSize(look), "code")}?`;
  if (!isComplete(look)) return `Edit up to ${formatCount(matched, "code")}?`;
  if (changing.length > 0) {
    const isAll = changing.length === matched;
    const codes = formatCount(matched, "code");
    return isAll ? `${codes} will change` : `${formatNumber(changing.length)} of ${codes} will change`;
  }
  const from = (change.replace?.host ?? change.replace?.prefix)?.from;
  const isReplacement = from !== undefined && Object.keys(change).length === 1 && look.failures.size === 0;
  const none = `0 of ${formatCount(matched, "code")}`;
  return isReplacement ? `${none} contain ${from}` : `${none} will change`;
}

/** The effect of a bulk update, before it starts. */
export function Review({ change, look, names, selected, entries }: Props) {
  const isDeletion = change.delete === true;
  const size = jobSize(look);
  const codes = formatCount(size, "code");
  return (
    <>
      <section class="review-summary" aria-labelledby="asked">
        <h2 id="asked" class="visually-hidden">
          The change
        </h2>
        {isDeletion ? (
          <>
            <p>
              <strong>Their scans stop working at once</strong>, including those of printed codes.
            </p>
            <p>
              You can restore them from the bin for {limits.deletedDays} days. Its scans stay in your reports.
              To stop scans for a while, pause the codes instead.
            </p>
          </>
        ) : (
          <ChangeFacts change={change} names={names} />
        )}
        <Bounds look={look} />
        <PostForm class="buttons" action="/dashboard/codes/bulk">
          <HiddenFields values={selected.fields} />
          <HiddenFields values={entries} />
          <input type="hidden" name="matched" value={look.matched} />
          {isComplete(look) && <input type="hidden" name="changing" value={look.changing.length} />}
          <FormKey />
          {size > 0 && (
            <button
              class={isDeletion ? "button danger primary" : "button primary"}
              type="submit"
              name="step"
              value="start"
            >
              {isDeletion ? titleOfChange(change, codes) : `Edit ${codes}`}
            </button>
          )}
          <button class={size > 0 ? "button" : "button primary"} type="submit" name="step" value="choose">
            Back to changes
          </button>
          <a class="button plain" href={selected.list}>
            Cancel
          </a>
        </PostForm>
      </section>
      {look.samples.length > 0 && (
        <section aria-labelledby="samples">
          <h2 id="samples">
            {look.changing.length + failedIn(look) > look.samples.length
              ? `The first ${formatNumber(look.samples.length)}`
              : "Before and after"}
          </h2>
          <Samples look={look} isDeletion={isDeletion} names={names} />
        </section>
      )}
    </>
  );
}

const failedIn = ({ failures }: ExaminedChange): number =>
  [...failures.values()].reduce((sum, n) => sum + n, 0);

/** Codes that the numbers don't include. */
function Bounds({ look }: { look: ExaminedChange }) {
  const { examined, matched, changing, failures } = look;
  const failed = failedIn(look);
  const unchanged = examined - changing.length - failed;
  return (
    <>
      {!isComplete(look) && (
        <p>
          Of the first {formatCount(examined, "code")}, {formatNumber(changing.length)} will change. The other{" "}
          {formatNumber(matched - examined)} are checked while the job runs; those that don't need the change
          stay the same.
        </p>
      )}
      {isComplete(look) && changing.length > 0 && unchanged > 0 && (
        <p class="quiet">
          {formatCount(unchanged, "code stays as it is and is", "codes stay as they are and are")} left out.
        </p>
      )}
      {failed > 0 && (
        <Notice kind="warn">
          <p>
            {formatCount(failed, "code")} can't be edited this way
            {isComplete(look) ? ` and ${failed === 1 ? "is" : "are"} left out` : ""}.
          </p>
          <ul>
            {[...failures].slice(0, listedReasons).map(([reason, count]) => (
              <li>
                {formatCount(count, "code")}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** How many reasons for failures a notice lists. */
const listedReasons = 5;

function Samples({ look, isDeletion, names }: { look: ExaminedChange; isDeletion: boolean; names: Names }) {
  return (
    <table class="table samples">
      <thead class="hidden-on-phones">
        <tr>
          <th scope="col">
            <span class="visually-hidden">Image</span>
          </th>
          <th scope="col">Code</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {look.samples.map((sample) => (
          <tr>
            <td>
              <Thumbnail qr={sample.before} />
            </td>
            <td>
              <NameAndDestination qr={sample.before} />
            </td>
            <td>{isDeletion ? "Deleted" : <Effect sample={sample} names={names} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Effect({ sample: { before, after, error }, names }: { sample: BulkSample; names: Names }) {
  if (error !== null) return <span class="problem">{error}</span>;
  const differences = after === null ? [] : differencesOf(before, after, names);
  return (
    <ul class="plain differences">
      {differences.map((difference) => (
        <li>
          <span class="quiet">{difference.name}</span> <Pieces difference={difference} />
        </li>
      ))}
    </ul>
  );
}

const Pieces = ({ difference: { isAddress, pieces } }: { difference: Difference }) => (
  <span class={isAddress ? "address" : "values"}>
    {pieces.map(({ kind, text }, i) => (
      <>
        {i > 0 && !isAddress && " "}
        {kind === "kept" ? <span>{text}</span> : kind === "removed" ? <del>{text}</del> : <ins>{text}</ins>}
      </>
    ))}
  </span>
);
