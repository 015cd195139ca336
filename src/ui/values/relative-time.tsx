import { formatMinute, formatRelative, formatTime } from "./format.ts";

interface Props {
  /** ISO 8601. */
  readonly time: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** A relative time, with the exact time beside it. Its zone, the same for a whole list, is in the tooltip. */
export function RelativeTime({ time, now, timeZone }: Props) {
  return (
    <time datetime={time} title={formatTime(time, timeZone)}>
      {formatRelative(time, now)} <span class="small quiet">{formatMinute(time, timeZone)}</span>
    </time>
  );
}
