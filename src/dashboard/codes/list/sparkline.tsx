/** Pixels. */
const column = 3;
const gap = 1;
const height = 24;

/** Scans by day as columns; a day without any is a foot. @param label says the same in words */
export function Sparkline({ days, label }: { days: readonly number[]; label: string }) {
  const most = Math.max(1, ...days);
  const draw = (isEmpty: boolean) =>
    days
      .map((scans, i) => {
        if ((scans === 0) !== isEmpty) return "";
        const size = isEmpty ? 1 : Math.max(1, Math.round((scans / most) * height * 10) / 10);
        return `M${i * (column + gap)} ${height}h${column}v-${size}h-${column}z`;
      })
      .join("");
  const width = days.length * (column + gap) - gap;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
    >
      <path class="foot" d={draw(true)} />
      <path d={draw(false)} />
    </svg>
  );
}
