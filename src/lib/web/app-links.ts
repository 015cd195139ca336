/** URLs that open an app with prefilled text. Lines of the text end with a line feed. */

const crlf = (text: string | undefined) => text?.replaceAll("\n", "\r\n");

/** Builds a query from the given fields. URLSearchParams would encode spaces as +, which mail apps display. */
function query(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** Returns an `sms:` URI (RFC 5724). @param phone E.164 */
export const smsUri = (phone: string, message?: string): string =>
  `sms:${phone}${query({ body: crlf(message) })}`;

/** The fields of a `mailto:` URI. */
export interface Mail {
  readonly to: string;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly cc?: string | undefined;
  readonly bcc?: string | undefined;
}

/** Returns a `mailto:` URI (RFC 6068). */
export function mailtoUri({ to, subject, body, cc, bcc }: Mail): string {
  // Only the @ between name and domain isn't encoded.
  const recipient = encodeURIComponent(to).replace("%40", "@");
  return `mailto:${recipient}${query({ subject, body: crlf(body), cc, bcc })}`;
}

/** Returns WhatsApp's click-to-chat URL, in which the number has no plus. @param phone E.164 */
export const whatsappUrl = (phone: string, message?: string): string =>
  `https://wa.me/${phone.slice(1)}${query({ text: message })}`;

/** Returns the URL of a Telegram user, group, channel or bot. */
export const telegramUrl = (username: string): string => `https://t.me/${username}`;

/** Formats degrees with six decimals (a decimetre), never in exponential notation. */
const degreesText = (value: number): string => String(Number(value.toFixed(6)) + 0);

const pair = (latitude: number, longitude: number): string =>
  `${degreesText(latitude)},${degreesText(longitude)}`;

/** Returns the URL of a pin on Google Maps, whose documented URLs have no label. */
export const googleMapsUrl = (latitude: number, longitude: number): string =>
  `https://www.google.com/maps/search/${query({ api: "1", query: pair(latitude, longitude) })}`;

/** Returns the URL of a pin on Apple Maps, which requires a label. @param label defaults to the coordinates */
export function appleMapsUrl(latitude: number, longitude: number, label?: string): string {
  const place = pair(latitude, longitude);
  return `https://maps.apple.com/${query({ ll: place, q: label ?? place })}`;
}

/** Returns the URL that finds a postal address on a map. @param isApple whether on Apple Maps, or else on Google Maps */
export const mapSearchUrl = (place: string, isApple: boolean): string =>
  isApple
    ? `https://maps.apple.com/${query({ q: place })}`
    : `https://www.google.com/maps/search/${query({ api: "1", query: place })}`;
