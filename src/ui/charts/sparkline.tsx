/** Pixels. */
const column = 3;
const gap = 1;

/** The most columns. Longer series are summed in groups of equal size. */
const mostColumns = 30;

interface Props {
  readonly values: readonly number[];
  readonly kind?: "scans" | "bots";
  /** Pixels. */
  readonly height?: number;
  /** Describes the series, if no number beside it does. */
  readonly label?: string;
}

/**
 * A short series as columns. A column without scans is reduced to its base. If space is limited, the first columns are
 * cut off.
 */
export function Sparkline({ values, kind = "scans", height = 28, label }: Props) {
  const columns = grouped(values);
  const most = Math.max(1, ...columns);
  const width = columns.length * (column + gap) - gap;
  const shapes = (isEmpty: boolean) =>
    columns
      .map((value, index) => {
        if ((value === 0) !== isEmpty) return "";
        const size = isEmpty ? 1 : Math.max(1, Math.round((value / most) * height * 10) / 10);
        return `M${index * (column + gap)} ${height}h${column}v-${size}h-${column}z`;
      })
      .join("");
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label or is hidden.
    <svg
      class={kind === "bots" ? "sparkline of-bots" : "sparkline"}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="xMaxYMax slice"
      {...(label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
    >
      <path class="foot" d={shapes(true)} />
      <path d={shapes(false)} />
    </svg>
  );
}

/** The last group is complete; the first one is dropped if it isn't. */
function grouped(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / mostColumns);
  if (size <= 1) return [...values];
  const groups: number[] = [];
  for (let end = values.length; end >= size; end -= size) {
    groups.unshift(values.slice(end - size, end).reduce((sum, value) => sum + value, 0));
  }
  return groups;
}
