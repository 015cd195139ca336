import fc from "fast-check";
import { expect, it } from "vitest";
import { mailtoUri, smsUri, whatsappUrl } from "../../src/lib/web/app-links.ts";

/** What RFC 6068 allows in a field's value; RFC 5724 allows no less. */
const value = String.raw`(?:[A-Za-z0-9\-._~!$'()*,;:@]|%[0-9A-F]{2})*`;
const query = new RegExp(`^[a-z]+:[^?]+(?:\\?[a-z]+=${value}(?:&[a-z]+=${value})*)?$`);

/** The fields of an address's query, with percent signs decoded and nothing else. */
function fieldsOf(uri: string): Record<string, string> {
  expect(uri).toMatch(query);
  const pairs = uri.replace(/^[^?]*\??/, "").split("&");
  return Object.fromEntries(pairs.map((pair) => pair.split("=").map(decodeURIComponent) as [string, string]));
}

const lines = fc.array(
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replace(/\p{Cc}/gu, "")),
  {
    minLength: 1,
    maxLength: 5,
  },
);

it("any text comes back from its address as it went in, its lines ended as the RFCs say", () => {
  fc.assert(
    fc.property(lines, lines, (subject, body) => {
      const text = body.join("\n");
      const mail = { subject: subject.join(" "), body: body.join("\r\n") };
      expect(fieldsOf(mailtoUri({ to: "a@b.example", ...mail, body: text }))).toEqual(mail);
      expect(fieldsOf(smsUri("+4930901820", text))).toEqual({ body: mail.body });
      expect(new URL(whatsappUrl("+4930901820", text)).searchParams.get("text")).toBe(text);
    }),
    { numRuns: 300 },
  );
});
