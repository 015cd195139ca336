import { limits } from "../../contract/limits.ts";
import type { QrDataInput, QrDataVcardInput } from "../../contract/resources/codes/qr-data.ts";
import { addressFields } from "../../contract/resources/codes/qr-fields.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import { isOwnHost, readDestination } from "../../lib/web/destination.ts";
import { type StoredContact, type StoredQrData, shownData } from "../../store/codes/stored-data.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf, type Linked } from "../destinations/addresses.ts";
import { invalid } from "../errors.ts";
import { definedFields } from "../partial-updates.ts";

/**
 * Validates a code's data, and normalises its addresses and phone numbers.
 * @throws invalid_input naming the field: for an address that is not http(s) or leads to this service, an invalid phone
 * number, an unknown page, or too many bytes
 */
async function normaliseData(
  deps: Deps,
  data: QrDataInput,
  pages: Pages,
  stored: Stored,
): Promise<StoredQrData> {
  const normalised = await normaliseFields(deps, data, pages, stored);
  if (utf8Length(JSON.stringify(shownData(normalised))) > limits.data.bytes) {
    throw invalid("data", `can have at most ${limits.data.bytes} bytes of JSON`);
  }
  return normalised;
}

/** The ids of pages of the workspace. */
type Pages = ReadonlySet<string>;

/** Addresses that a code has or had. They stay valid as they are, whatever the rules for new ones have become. */
type Stored = ReadonlySet<string>;

/**
 * Validates and normalises the links in an input, if given.
 * @param code which has these links, or had them
 * @throws like normaliseData
 */
export async function normaliseLinks<Given extends Linked>(
  deps: Deps,
  given: Given,
  { pages }: { readonly pages: Pages },
  code: Linked = {},
): Promise<Normalised<Given>> {
  const stored = new Set(allAddressesOf(code).map(({ address }) => address));
  const data = given.data && (await normaliseData(deps, given.data, pages, stored));
  const addresses = addressFields.flatMap((field) => {
    const address = given[field];
    return typeof address === "string"
      ? [{ field, address: checkDestination(deps, field, address, stored) }]
      : [];
  });
  return {
    ...given,
    ...(data !== undefined && { data }),
    ...Object.fromEntries(addresses.map(({ field, address }) => [field, address])),
  } as Normalised<Given>;
}

/** An input whose data is as it is stored. */
type Normalised<Given extends Linked> = {
  [Name in keyof Given]: Name extends "data" ? StoredQrData | Extract<Given[Name], undefined> : Given[Name];
};

/** The error for a code's page that the workspace doesn't have. */
export const unknownPage = () => invalid("data.pageId", "isn't a page of this workspace");

async function normaliseFields(
  deps: Deps,
  data: QrDataInput,
  pages: Pages,
  stored: Stored,
): Promise<StoredQrData> {
  const destination = (name: string, text: string) => checkDestination(deps, `data.${name}`, text, stored);
  switch (data.type) {
    case "url":
      return { ...data, url: destination("url", data.url) };
    case "applink":
      return {
        ...data,
        ...(data.ios && { ios: destination("ios", data.ios) }),
        ...(data.android && { android: destination("android", data.android) }),
        fallback: destination("fallback", data.fallback),
      };
    case "vcard":
      return normaliseContact(data, stored);
    case "sms":
    case "whatsapp": {
      const phone = await checkPhone("data.phone", data.phone, { shortCode: data.type === "sms" });
      return { ...data, phone };
    }
    case "servicepage":
      if (!pages.has(data.pageId)) throw unknownPage();
      return data;
    case "email":
    case "location":
    case "telegram":
      return data;
  }
}

/** @throws invalid_input for an invalid address or phone number */
async function normaliseContact(
  { type, firstName = "", phones, phoneLabels, emails, urls, address, note, ...names }: QrDataVcardInput,
  stored: Stored,
): Promise<StoredContact> {
  const given = phones?.map((phone, i) =>
    typeof phone === "string"
      ? { field: `data.phones.${i}`, number: phone, label: phoneLabels?.[i] ?? null }
      : {
          field: `data.phones.${i}.number`,
          number: phone.number,
          label: phone.label ?? phoneLabels?.[i] ?? null,
        },
  );
  const numbers =
    given &&
    (await Promise.all(given.map(({ field, number }) => checkPhone(field, number, { extension: true }))));
  const labels = given?.map(({ label }) => label);
  const mobilePhones = await mobileOf(numbers ?? []);
  return {
    ...{ type, firstName, ...names },
    ...definedFields({
      phones: numbers,
      phoneLabels: labels?.some((label) => label !== null) ? labels : undefined,
      emails,
      urls: urls?.map((url, i) => checkAddress(`data.urls.${i}`, url, stored).url),
      ...{ address, note },
      mobilePhones: mobilePhones.length > 0 ? mobilePhones : undefined,
    }),
  };
}

/** Returns those of the numbers that are mobile. */
async function mobileOf(numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const { isMobile } = await import("../../lib/text/mobile-phones.ts");
  return numbers.filter(isMobile);
}

/** Returns an http(s) address, normalised, or a stored one as it is. @throws invalid_input */
function checkAddress(field: string, input: string, stored: Stored) {
  if (stored.has(input)) return { url: input, host: new URL(input).host };
  const read = readDestination(input, limits.destination);
  if (!read.ok) throw invalid(field, read.problem);
  return read;
}

/** Returns the address of a redirect, normalised. @throws invalid_input */
function checkDestination(deps: Deps, field: string, input: string, stored: Stored): string {
  const { url, host } = checkAddress(field, input, stored);
  if (deps.settings.ownHosts.some((own) => isOwnHost(host, own))) {
    throw invalid(field, "can't lead back to this service, because scans would never arrive");
  }
  return url;
}

async function checkPhone(
  field: string,
  input: string,
  may: { readonly extension?: boolean; readonly shortCode?: boolean },
): Promise<string> {
  // The module is large, and most requests have no phone number.
  const { readPhone } = await import("../../lib/text/phone.ts");
  const read = readPhone(input, may);
  if (!read.ok) throw invalid(field, read.problem);
  return read.phone;
}
