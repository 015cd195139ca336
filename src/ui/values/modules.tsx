interface Props {
  readonly value: number;
  /** At least 1. */
  readonly max: number;
  readonly label: string;
  /** `running` for a job, `score` for a score, else a limit: its colour warns when it is used up. */
  readonly kind?: "running" | "score";
}

const count = 24;
const pitch = 10;
const side = 8;

/**
 * A share as a row of modules. The text beside it says the same. What is nearly nothing lights none, except that a running job
 * lights one as soon as it has begun.
 */
export function Modules({ value, max, label, kind }: Props) {
  const share = Math.min(1, value / max);
  const begun = kind === "running" && value > 0 ? 1 : 0;
  const lit = Math.max(begun, Math.floor(share * count));
  const state = kind ?? (share >= 1 ? "full" : "limit");
  return (
    <svg
      class={`modules ${state}`}
      viewBox={`0 0 ${count * pitch - 2} ${side}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${value} of ${max}`}
    >
      {Array.from({ length: count }, (_, i) => (
        <rect x={i * pitch} width={side} height={side} class={i < lit ? undefined : "rest"} />
      ))}
    </svg>
  );
}
