import type { PropsWithChildren } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { Notice } from "../../ui/notice.tsx";
import { dateLocale } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";

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

const readabilityTexts = { unreadable: "Unreadable", unmeasured: "Not yet measured" } as const;

/** The mark of a code whose design phones can't read, or that has not been measured. */
export const ReadabilityMark = ({ qr: { readability } }: Pick<Props, "qr">) =>
  readability === null ? null : (
    <Status kind={readability === "unreadable" ? "bad" : "scheduled"}>{readabilityTexts[readability]}</Status>
  );

/** The same as a message, with what to do. @param children more about what to do */
export const ReadabilityNotice = ({ qr: { readability }, children }: PropsWithChildren<Pick<Props, "qr">>) =>
  readability === null ? null : readability === "unreadable" ? (
    <Notice kind="bad">
      <p>Phones can't read the design of this code reliably. {children}</p>
    </Notice>
  ) : (
    <Notice kind="info">
      <p>The design of this code is not yet measured. That follows by itself; until then, print a trial.</p>
    </Notice>
  );

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
