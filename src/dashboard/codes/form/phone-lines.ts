import type { QrDataVcard, QrDataVcardInput } from "../../../contract/resources/codes/qr-data.ts";

/** Phone numbers as lines of a form: each with its label before it, if it has one, as in `Work: +49 30 901820`. */

/** @param format how a number is written */
export const phoneLines = (
  { phones = [], phoneLabels }: QrDataVcard,
  format: (phone: string) => string = (phone) => phone,
): string[] =>
  phones.map((phone, i) => {
    const label = phoneLabels?.[i] ?? null;
    return label === null ? format(phone) : `${label}: ${format(phone)}`;
  });

/** Reads a line. The scheme of a link such as `tel:+4930901820` is no label. */
export function readPhoneLine(line: string): NonNullable<QrDataVcardInput["phones"]>[number] {
  const [, label, number] =
    /^(?!(?:tel|callto|smsto|sms):\S)(.*?\S)\s*[:：]\s*((?:(?:tel|callto|smsto|sms):)?[^:：]+)$/i.exec(
      line,
    ) ?? [];
  return label === undefined || number === undefined ? line : { number, label };
}
