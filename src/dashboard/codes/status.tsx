import type { Qr } from "../../contract/resources/codes/qr.ts";
import { Status } from "../components/values/status.tsx";
import { dateLocale } from "../components/values/format.ts";

interface Props {
  readonly qr: Qr;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The status of a code as visitors experience it. */
export function CodeStatus({ qr, now, timeZone }: Props) {
  const { suspended, status, startsAt, expiresAt } = qr;
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  if (status === "paused") return <Status kind="paused">Paused</Status>;
  if (startsAt !== null && Date.parse(startsAt) > now) {
    return <Status kind="scheduled">Starts {shortDate(startsAt, now, timeZone)}</Status>;
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    return <Status kind="ended">Ended {shortDate(expiresAt, now, timeZone)}</Status>;
  }
  return <Status kind="active">Active</Status>;
}

/** Formats a day such as 1 Dec; in another year 1 Dec 2027. */
function shortDate(time: string, now: number, timeZone: string): string {
  const partsOf = (year: boolean) =>
    new Intl.DateTimeFormat(dateLocale, {
      day: "numeric",
      month: "short",
      ...(year && { year: "numeric" }),
      timeZone,
    });
  const yearOf = (date: Date) => new Intl.DateTimeFormat("en", { year: "numeric", timeZone }).format(date);
  const date = new Date(time);
  return partsOf(yearOf(date) !== yearOf(new Date(now))).format(date);
}
