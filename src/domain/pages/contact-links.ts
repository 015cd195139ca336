import { limits } from "../../contract/limits.ts";
import { email, manyLines, oneLine } from "../../contract/text.ts";
import { trimmed } from "../../lib/text/invisible.ts";
import { mailtoUri, smsUri } from "../../lib/web/app-links.ts";
import { type Destination, readDestination, schemeOf } from "../../lib/web/destination.ts";

/** A link of a page, or the problem, worded to follow a field's name. */
type Link = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string };

const refused = (problem: string): Link => ({ ok: false, problem });

/**
 * Parses the address of a link on a page: an http(s) address, or one that calls (`tel:`), writes an email (`mailto:`) or a
 * text message (`sms:`). An email address alone gets its `mailto:`.
 */
export async function readPageLink(input: string): Promise<Link | Destination> {
  const text = trimmed(input);
  const scheme = schemeOf(text);
  if (scheme === undefined && email.safeParse(text).success) return readMail(text, new Map());
  if (scheme === undefined || scheme === "http" || scheme === "https") {
    return readDestination(input, limits.destination);
  }
  const read = readers.get(scheme);
  if (read === undefined) {
    return refused(`must be an http, https, tel, mailto or sms address, not ${scheme}:`);
  }
  const link = await readParts(text.slice(scheme.length + 1), read);
  if (!link.ok || link.url.length <= limits.destination) return link;
  return refused(`can have at most ${limits.destination} characters`);
}

type Reader = (to: string, query: ReadonlyMap<string, string>) => Link | Promise<Link>;

async function readCall(to: string, query: ReadonlyMap<string, string>): Promise<Link> {
  const problem = unknownIn(query, []);
  if (problem !== undefined) return refused(problem);
  const read = await readPhoneOf(to, true);
  // Phones dial a comma as a pause; of `;ext=`, they may dial the letters.
  return read.ok ? { ok: true, url: `tel:${read.phone.replace(";ext=", ",")}` } : read;
}

async function readText(to: string, query: ReadonlyMap<string, string>): Promise<Link> {
  const problem = unknownIn(query, ["body"]) ?? wrongText(query);
  if (problem !== undefined) return refused(problem);
  const read = await readPhoneOf(to, false);
  return read.ok ? { ok: true, url: smsUri(read.phone, query.get("body")) } : read;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["tel", readCall],
  ["sms", readText],
  ["mailto", readMail],
]);

/** Reads `to?name=value&…`, where a plus is a plus. */
async function readParts(rest: string, read: Reader): Promise<Link> {
  const [, to = "", parameters = ""] = /^([^?]*)\??(.*)$/s.exec(rest) ?? [];
  const query = new Map<string, string>();
  try {
    for (const parameter of parameters.split("&")) {
      if (parameter === "") continue;
      const [name = "", value = ""] = parameter.split(/=(.*)/s, 2).map(decodeURIComponent);
      if (query.has(name.toLowerCase())) return refused(`can't contain ${name} twice`);
      query.set(name.toLowerCase(), value.replace(/\r\n?/g, "\n"));
    }
    return await read(decodeURIComponent(to), query);
  } catch (error) {
    if (error instanceof URIError) return refused("has a % that encodes no character");
    throw error;
  }
}

async function readPhoneOf(to: string, extension: boolean) {
  // The module is large, and most pages have no phone number.
  const { readPhone } = await import("../../lib/text/phone.ts");
  return readPhone(to, { extension, shortCode: true });
}

function readMail(to: string, query: ReadonlyMap<string, string>): Link {
  const problem =
    unknownIn(query, ["subject", "body", "cc", "bcc"]) ??
    [to, query.get("cc"), query.get("bcc")]
      .map((address) => (address === undefined ? undefined : problemOf(email, address)))
      .find((each) => each !== undefined) ??
    wrongText(query);
  if (problem !== undefined) return refused(problem);
  const { subject, body, cc, bcc } = Object.fromEntries(query);
  return { ok: true, url: mailtoUri({ to: trimmed(to), subject, body, cc, bcc }) };
}

const wrongText = (query: ReadonlyMap<string, string>): string | undefined => {
  const [subject, body] = [query.get("subject"), query.get("body")];
  return (subject && problemOf(oneLine(), subject)) || (body && problemOf(manyLines(), body)) || undefined;
};

const problemOf = (schema: typeof email | ReturnType<typeof manyLines>, text: string): string | undefined =>
  schema.safeParse(text).error?.issues[0]?.message;

/** The problem of a parameter that could do more than its link says, such as to attach a file. */
function unknownIn(query: ReadonlyMap<string, string>, known: readonly string[]): string | undefined {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `can't contain ${unknown.slice(0, 40)}`;
}
