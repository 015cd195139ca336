import { limits } from "../../contract/limits.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { type ProblemGroup, problemId } from "./problems.ts";
import { Mark, RowGrid } from "./row-grid.tsx";

interface Props {
  /** The table's rows, and those with a problem. */
  readonly count: number;
  readonly bad: number;
  readonly groups: readonly ProblemGroup[];
  /** The id of the group whose rows are shown, unless all are. */
  readonly shown: string | undefined;
  /** The rows shown on the page. */
  readonly rows: ReadonlySet<number>;
}

/**
 * Shows how much of a table can be created and what is wrong with the rest: a square per row, and each kind of problem
 * once.
 */
export function ProblemPanel({ count, bad, groups, shown, rows }: Props) {
  const ready = count - bad;
  return (
    <section class="card import-check" id="check" aria-labelledby="check-title" tabindex={-1}>
      <div role="status">
        <h2 class="section-title" id="check-title">
          {formatCount(ready, "row is ready", "rows are ready")}
          {bad > 0 && (
            <>
              , <strong class="bad">{formatCount(bad, "needs a fix", "need a fix")}</strong>
            </>
          )}
        </h2>
      </div>
      <RowGrid count={count} groups={groups.map((group) => group.rows)} />
      {groups.length > 0 && (
        <ul class="plain problem-groups">
          {groups.map((group, i) => (
            <Group group={group} index={i} isShown={shown === group.id} rows={rows} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface GroupProps extends Pick<Props, "rows"> {
  readonly group: ProblemGroup;
  readonly index: number;
  readonly isShown: boolean;
}

function Group({ group, index, isShown, rows }: GroupProps) {
  const { id, title, hint, column } = group;
  const links = group.rows.slice(0, limits.shownTable.linkedRows).filter((row) => rows.has(row));
  return (
    <li>
      <Mark group={index} />
      <div>
        <h3>
          {title} <span class="quiet">{formatCount(group.rows.length, "row")}</span>
        </h3>
        {hint !== undefined && <p class="small quiet">{hint}</p>}
        <div class="row-chips">
          {links.map((row) => (
            <a class="chip" href={`#${problemId({ row, column })}`}>
              Row {formatNumber(row + 1)}
            </a>
          ))}
          {isShown ? (
            <button class="chip" type="submit" name="show" value="" formaction={`${path}#rows`}>
              Show all rows
            </button>
          ) : (
            <button class="chip" type="submit" name="show" value={id} formaction={`${path}#rows`}>
              {group.rows.length === 1
                ? "Show only this"
                : `Show only these ${formatNumber(group.rows.length)}`}
            </button>
          )}
        </div>
      </div>
      <FixButton group={group} />
    </li>
  );
}

const path = "/dashboard/codes/import";

function FixButton({ group: { id, fix, column, rows } }: Pick<GroupProps, "group">) {
  if (fix === undefined) {
    const [row = 0] = rows;
    return (
      <a class="button" href={`#${problemId({ row, column })}`}>
        <Icon name="pencil" />
        {rows.length === 1 ? "Edit row" : "Edit rows"}
      </a>
    );
  }
  if (fix.needsValue !== true) {
    return (
      <button class="button" type="submit" name="fix" value={id} formaction={`${path}#check`}>
        {fix.label}
      </button>
    );
  }
  return (
    <details class="fill">
      <summary class="button">{fix.label}</summary>
      <div>
        <input
          class="entry"
          name={`fill.${id}`}
          inputmode="url"
          placeholder="example.com/menu"
          aria-label={`Destination of ${formatCount(rows.length, "row")}`}
        />
        <button class="button" type="submit" name="fix" value={id} formaction={`${path}#check`}>
          Fill {formatCount(rows.length, "row")}
        </button>
      </div>
    </details>
  );
}
