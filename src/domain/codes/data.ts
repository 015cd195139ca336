import { limits } from "../../contract/limits.ts";
import type { QrData } from "../../contract/resources/qr-data.ts";
import type { Deps } from "../deps.ts";
import { readDestination, sameHost } from "../../lib/web/destination.ts";
import { ownPages } from "../../store/pages.ts";
import type { Owner } from "../identity/caller.ts";
import { invalid } from "../errors.ts";

/** Hosted pages, of those that these data name, that the workspace has. */
export async function readLinkedPages(
  deps: Deps,
  owner: Owner,
  inputs: readonly { readonly data?: QrData | undefined }[],
): Promise<ReadonlySet<string>> {
  const wanted = inputs.flatMap(({ data }) => (data?.type === "servicepage" ? [data.pageId] : []));
  return ownPages(deps.db, owner.workspaceId, [...new Set(wanted)]);
}

/**
 * A code's data as it is stored: addresses and phones normalised and checked, and small enough in all.
 * @param pages that it may lead to, by id
 * @throws invalid_input naming the field: an address that is not http(s) or leads back to this service, a phone
 * that is none, a page that is not among them, too many bytes
 */
export async function normaliseData(deps: Deps, data: QrData, pages: ReadonlySet<string>): Promise<QrData> {
  const normal = await normalise(deps, data, pages);
  if (utf8.encode(JSON.stringify(normal)).length > limits.data.bytes) {
    throw invalid("data", `must be at most ${limits.data.bytes} bytes of JSON`);
  }
  return normal;
}

const utf8 = new TextEncoder();

async function normalise(deps: Deps, data: QrData, pages: ReadonlySet<string>): Promise<QrData> {
  switch (data.type) {
    case "url":
      return { ...data, url: destination(deps, "data.url", data.url) };
    case "applink":
      return {
        ...data,
        ...(data.ios && { ios: destination(deps, "data.ios", data.ios) }),
        ...(data.android && { android: destination(deps, "data.android", data.android) }),
        fallback: destination(deps, "data.fallback", data.fallback),
      };
    case "vcard": {
      const { phones, urls } = data;
      return {
        ...data,
        ...(phones && {
          phones: await Promise.all(phones.map((given, at) => phone(`data.phones.${at}`, given))),
        }),
        ...(urls && { urls: urls.map((url, at) => address(`data.urls.${at}`, url).url) }),
      };
    }
    case "sms":
    case "whatsapp":
      return { ...data, phone: await phone("data.phone", data.phone) };
    case "servicepage":
      if (!pages.has(data.pageId)) throw invalid("data.pageId", "is not a page of this workspace");
      return data;
    case "email":
    case "location":
    case "telegram":
      return data;
  }
}

/** An http(s) address, normalised. */
function address(field: string, input: string) {
  const read = readDestination(input, limits.destination);
  if (!read.ok) throw invalid(field, read.problem);
  return read;
}

/** An address that scans are redirected to. */
function destination(deps: Deps, field: string, input: string): string {
  const { url, host } = address(field, input);
  if (sameHost(host, deps.scanHost)) {
    throw invalid(field, "must not lead back to this service: scans would go round in circles");
  }
  return url;
}

async function phone(field: string, input: string): Promise<string> {
  // Loaded by the first phone: most requests have none, and it is large.
  const { readPhone } = await import("../../lib/text/phone.ts");
  const read = readPhone(input);
  if (!read.ok) throw invalid(field, read.problem);
  return read.e164;
}
