import { formatCount, formatNumber } from "../../ui/values/format.ts";

/** Squares per line, and pixels from one square to the next and per side. */
const [perLine, pitch, side] = [76, 13, 11] as const;

/** At most eight lines of squares. In a larger table, a square stands for several rows. */
const maxSquares = 8 * perLine;

/**
 * The marks on squares, by the position of the group, as paths relative to the square. The first group has a plain
 * square.
 */
const signs = [
  "",
  "m3.5 3.5h4v4h-4z",
  "m2 4.5h7v2h-7z",
  "m4.5 2h2v7h-2z",
  "m2 2h7v7h-7zm2 2v3h3v-3z",
  "m2 2h3v3h-3zm4 4h3v3h-3z",
  "m2 6h3v3h-3zm4 -4h3v3h-3z",
  "m2 2h7v3h-7z",
  "m2 6h7v3h-7z",
];

/** The mark of a group of problems, as in the grid. */
export const Mark = ({ group }: { group: number }) => (
  <svg class="row-mark" viewBox="0 0 11 11" width="11" height="11" aria-hidden="true">
    <path class="bad" d="M0 0h11v11h-11z" />
    {signs[group] && <path class="sign" fill-rule="evenodd" d={`M0 0${signs[group]}`} />}
  </svg>
);

interface Props {
  /** Rows of the table. */
  readonly count: number;
  /** The rows of each group of problems. */
  readonly groups: readonly (readonly number[])[];
}

/** One square per row of a table, marked if it has a problem. In a large table, a square stands for several rows. */
export function RowGrid({ count, groups }: Props) {
  const rowsPerSquare = Math.ceil(count / maxSquares);
  const squares = Math.ceil(count / rowsPerSquare);
  const groupOf = new Map<number, number>();
  for (const [group, rows] of groups.entries()) {
    for (const row of rows) {
      const square = Math.floor(row / rowsPerSquare);
      if (!groupOf.has(square)) groupOf.set(square, group);
    }
  }
  const width = Math.min(squares, perLine) * pitch - 2;
  const height = Math.ceil(squares / perLine) * pitch - 2;
  const bad = [...groupOf];
  const last = squares % perLine;
  const lines = Math.floor(squares / perLine);
  return (
    <>
      <svg
        class="row-grid"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`${formatCount(count, "row")}, of which ${formatNumber(new Set(groups.flat()).size)} with a problem`}
      >
        <pattern id="row-module" width={pitch} height={pitch} patternUnits="userSpaceOnUse">
          <path class="good" d={`M0 0h${side}v${side}h-${side}z`} />
        </pattern>
        {lines > 0 && <rect width={width} height={lines * pitch} fill="url(#row-module)" />}
        {last > 0 && <rect y={lines * pitch} width={last * pitch} height={pitch} fill="url(#row-module)" />}
        <path class="bad" d={bad.map(([square]) => `M${placeOf(square)}h11v11h-11z`).join("")} />
        {groups.map((_, group) => {
          const marked = bad.filter(([, own]) => own === group);
          const sign = signs[group] ?? "";
          if (sign === "" || marked.length === 0) return null;
          const path = marked.map(([square]) => `M${placeOf(square)}${sign}`).join("");
          return <path class="sign" fill-rule="evenodd" d={path} />;
        })}
      </svg>
      <p class="caption quiet">
        {rowsPerSquare === 1 ? "One square is one row." : `One square is ${rowsPerSquare} rows.`}
      </p>
    </>
  );
}

const placeOf = (square: number): string =>
  `${(square % perLine) * pitch} ${Math.floor(square / perLine) * pitch}`;
