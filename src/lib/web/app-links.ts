/** Addresses that open an app with something written in it. Texts have their lines end with a line feed. */

const crlf = (text: string | undefined) => text?.replaceAll("\n", "\r\n");

/** `?a=b&c=d` of the fields that are given, percent-encoded; empty when none is. */
function query(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** An `sms:` address by RFC 5724. @param phone E.164 */
export const smsUri = (phone: string, message?: string): string =>
  `sms:${phone}${query({ body: crlf(message) })}`;

/** What a `mailto:` address may hold. */
export interface Mail {
  readonly to: string;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly cc?: string | undefined;
  readonly bcc?: string | undefined;
}

/** A `mailto:` address by RFC 6068. */
export function mailtoUri({ to, subject, body, cc, bcc }: Mail): string {
  // The @ between name and domain stands for itself; no other can.
  const recipient = encodeURIComponent(to).replace("%40", "@");
  return `mailto:${recipient}${query({ subject, body: crlf(body), cc, bcc })}`;
}

/** WhatsApp's click-to-chat address, which wants the number without its plus. @param phone E.164 */
export const whatsappUrl = (phone: string, message?: string): string =>
  `https://wa.me/${phone.slice(1)}${query({ text: message })}`;

/** A person, group, channel or bot of Telegram. */
export const telegramUrl = (username: string): string => `https://t.me/${username}`;

/** Degrees to the decimetre, never in the notation with an exponent. */
const degrees = (value: number): string => String(Number(value.toFixed(6)) + 0);

const pair = (latitude: number, longitude: number): string => `${degrees(latitude)},${degrees(longitude)}`;

/** A pin on Google's maps, by their documented address, which has no place for a label. */
export const googleMapsUrl = (latitude: number, longitude: number): string =>
  `https://www.google.com/maps/search/${query({ api: "1", query: pair(latitude, longitude) })}`;

/** A pin on Apple's maps. @param label its coordinates if none is given: without one no pin is shown */
export function appleMapsUrl(latitude: number, longitude: number, label?: string): string {
  const place = pair(latitude, longitude);
  return `https://maps.apple.com/${query({ ll: place, q: label ?? place })}`;
}
