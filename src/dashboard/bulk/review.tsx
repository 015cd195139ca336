import type { BulkChange, BulkPreview } from "../../contract/resources/bulk-update.ts";
import { limits } from "../../contract/limits.ts";
import { NameAndDestination, Thumbnail } from "../codes/list/cells.tsx";
import { FormKey } from "../components/forms/buttons.tsx";
import { formatCount, formatNumber } from "../components/values/format.ts";
import { SelectionFields } from "./choices.tsx";
import { ChangeFacts, type Names } from "./change-facts.tsx";
import { differencesOf } from "./differences.ts";
import type { Selected } from "./selection.ts";

interface Props {
  readonly change: BulkChange;
  readonly preview: BulkPreview;
  readonly names: Names;
  readonly selected: Selected;
  /** The entries of the form with the choices. */
  readonly entries: URLSearchParams;
}

/** The effect of a bulk update, before it starts. */
export function Review({ change, preview, names, selected, entries }: Props) {
  const isDeletion = change.delete === true;
  const codes = formatCount(preview.matched, "code");
  return (
    <>
      <section class="card" aria-labelledby="asked">
        <h2 id="asked">{isDeletion ? `${codes} will be deleted` : `${codes} will be changed`}</h2>
        {isDeletion ? (
          <>
            <p>
              <strong>Their scans stop working at once</strong>, also where the codes are printed.
            </p>
            <p>
              You can restore a code for {limits.deletedDays} days, on its page. Its scans stay in your
              reports. To stop scans for a while, pause the codes instead.
            </p>
          </>
        ) : (
          <ChangeFacts change={change} names={names} />
        )}
        <form class="buttons" method="post" action="/dashboard/codes/bulk">
          <SelectionFields selected={selected} />
          {[...entries].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="matched" value={preview.matched} />
          <FormKey />
          <button
            class={isDeletion ? "button danger primary" : "button primary"}
            type="submit"
            name="step"
            value="start"
          >
            {isDeletion ? `Delete ${codes}` : `Change ${codes}`}
          </button>
          <button class="button" type="submit" name="step" value="choose">
            Back to the choices
          </button>
          <a class="button" href={selected.list}>
            Cancel
          </a>
        </form>
      </section>
      <h2>
        {preview.matched > preview.samples.length
          ? `The first ${formatNumber(preview.samples.length)} of them`
          : "These codes"}
      </h2>
      <table class="table codes samples">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Image</span>
            </th>
            <th scope="col">Code</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {preview.samples.map((sample) => (
            <tr>
              <td>
                <Thumbnail qr={sample.before} />
              </td>
              <td>
                <NameAndDestination qr={sample.before} />
              </td>
              <td>{isDeletion ? "It is deleted." : <Effect sample={sample} names={names} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Effect({
  sample: { before, after, error },
  names,
}: {
  sample: BulkPreview["samples"][number];
  names: Names;
}) {
  if (error !== null) return <span class="problem">Fails: {error}</span>;
  const differences = after === null ? [] : differencesOf(before, after, names);
  if (differences.length === 0) return <span class="quiet">It stays as it is.</span>;
  return (
    <ul class="plain differences">
      {differences.map(({ name, before: old, after: next }) => (
        <li>
          <span class="quiet">{name}:</span> <del>{old}</del> <span aria-hidden="true">→</span>{" "}
          <span class="visually-hidden">becomes</span> <ins>{next}</ins>
        </li>
      ))}
    </ul>
  );
}
