const width = 120;
const height = 32;
const inset = 2;

/** Scans by day as a line. @param label says the same in words */
export function Sparkline({ days, label }: { days: readonly number[]; label: string }) {
  const most = Math.max(1, ...days);
  const step = width / Math.max(1, days.length - 1);
  const points = days.map((scans, i) => {
    const y = height - inset - (scans / most) * (height - 2 * inset);
    return `${round(i * step)} ${round(y)}`;
  });
  const line = `M${points.join("L")}`;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
    >
      <path class="area" d={`${line}V${height}H0z`} />
      <path d={line} />
    </svg>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
