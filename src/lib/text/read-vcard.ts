/** A contact as its vCard has it, to be shown. */
export interface ContactCard {
  readonly name: string;
  /** Unless it is the name. */
  readonly organization?: string | undefined;
  readonly title?: string | undefined;
  readonly phones: readonly ContactPhone[];
  readonly emails: readonly string[];
  readonly urls: readonly string[];
  /** The lines of the postal address. */
  readonly address: readonly string[];
  readonly note?: string | undefined;
}

/** A phone number of a contact. */
export interface ContactPhone {
  /** As phones dial it, with an extension after a comma. */
  readonly number: string;
  /** The first of its types, such as `CELL`; undefined in vCards of earlier releases. */
  readonly type: string | undefined;
  /** Words of the owner's that come before the type. */
  readonly label: string | undefined;
}

interface Property {
  readonly group: string | undefined;
  readonly name: string;
  readonly type: string | undefined;
  readonly value: string;
}

/** Reads a vCard that this release or an earlier one wrote. */
export function readVcard(vcard: string): ContactCard {
  const properties = vcard.replaceAll("\r\n ", "").split("\r\n").flatMap(readProperty);
  const all = (name: string) => properties.filter((property) => property.name === name);
  const texts = (name: string) => all(name).map(({ value }) => plainText(value));
  const first = (name: string) => texts(name)[0];
  const labels = new Map(all("X-ABLabel").map(({ group, value }) => [group, plainText(value)]));
  const [name = "", organization] = [first("FN"), first("ORG")];
  const [, , street, city, region, postalCode, country] = partsOf(all("ADR")[0]?.value ?? "");
  return {
    name,
    organization: organization === name ? undefined : organization,
    title: first("TITLE"),
    phones: all("TEL").map(({ group, type, value }) => ({
      number: plainText(value),
      type,
      label: group === undefined ? undefined : labels.get(group),
    })),
    emails: texts("EMAIL"),
    urls: all("URL").map(({ value }) => value),
    address: [street, [postalCode, city].filter(Boolean).join(" "), region, country].flatMap(
      (line) => line || [],
    ),
    note: first("NOTE"),
  };
}

function readProperty(line: string): Property[] {
  const colon = line.indexOf(":");
  if (colon === -1) return [];
  const [head = "", parameter = ""] = line.slice(0, colon).split(";");
  const [name = "", group] = head.split(".").reverse();
  return [{ group, name, type: /^TYPE=(\w+)/.exec(parameter)?.[1], value: line.slice(colon + 1) }];
}

/** Returns the parts of a structured value. */
const partsOf = (value: string): string[] =>
  Array.from(`;${value}`.matchAll(/;((?:\\.|[^;\\])*)/gs), ([, part = ""]) => plainText(part));

const plainText = (escaped: string): string =>
  escaped.replace(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char));
