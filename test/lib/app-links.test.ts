import fc from "fast-check";
import { expect, it } from "vitest";
import { mailtoUri, smsUri, whatsappUrl } from "../../src/lib/web/app-links.ts";

/** The characters that RFC 6068, and so RFC 5724, permits in the value of a field. */
const value = String.raw`(?:[A-Za-z0-9\-._~!$'()*,;:@]|%[0-9A-F]{2})*`;
const query = new RegExp(`^[a-z]+:[^?]+(?:\\?[a-z]+=${value}(?:&[a-z]+=${value})*)?$`);

/** The fields of a query, percent-decoded and not changed otherwise. */
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

it("any text is read back from its URL unchanged, with line ends as in the RFCs", () => {
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
