/** How much of a limit is used, as a bar. The text beside it says the same. @param max at least 1 */
export function Meter({ value, max, label }: { value: number; max: number; label: string }) {
  const share = Math.min(1, value / max);
  const level = share >= 1 ? "full" : share >= 0.8 ? "high" : "ok";
  return (
    <svg
      class="meter"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${value} of ${max}`}
      data-level={level}
    >
      <rect width={Math.round(share * 1000) / 10} height="4" />
    </svg>
  );
}
