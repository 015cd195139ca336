import { formatRelative, formatTime } from "./format.ts";

interface Props {
  /** ISO 8601. */
  readonly time: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** A relative time, with the exact time beside it. */
export function RelativeTime({ time, now, timeZone }: Props) {
  return (
    <time datetime={time}>
      {formatRelative(time, now)} <span class="small quiet">{formatTime(time, timeZone)}</span>
    </time>
  );
}
