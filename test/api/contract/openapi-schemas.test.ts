import { exports } from "cloudflare:workers";
import { registerSchema, type Validator, validate } from "@hyperjump/json-schema/draft-2020-12";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { table } from "../../support/endpoints.ts";
import { fullBodies } from "../../support/full-bodies.ts";
import { type Client, Service } from "../../support/service.ts";

/** Clients check requests and responses by the document's schemas, so these must agree with the service. */

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

let schemas: Record<string, Schema>;
let client: Client;

beforeAll(async () => {
  client = await new Service().workspace();
  const response = await exports.default.fetch("http://localhost:8787/api/v1/openapi.json");
  const document = (await response.json()) as { components: { schemas: typeof schemas } };
  schemas = document.components.schemas;
});

/** The validators by the names of their schemas, because compiling one takes long. */
const validators = new Map<string, Promise<Validator>>();

/** Whether a value is valid by a schema of the document. */
async function isValid(name: string, value: object): Promise<boolean> {
  const validator = validators.get(name) ?? compile(name);
  validators.set(name, validator);
  return (await validator)(value as never).valid;
}

function compile(name: string): Promise<Validator> {
  const uri = `https://service.example/${crypto.randomUUID()}`;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  registerSchema({ $schema, components: { schemas }, $ref: `#/components/schemas/${name}` } as never, uri);
  return validate(uri);
}

const typeKeywords = ["type", "$ref", "anyOf", "oneOf", "const", "enum"];

/** The places of values whose type a schema does not say. Properties with names of the client's choice have none. */
function* untyped(schema: Schema, place: string): Generator<string> {
  if (!typeKeywords.some((keyword) => keyword in schema)) yield place;
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema;
  for (const [name, property] of Object.entries(properties)) yield* untyped(property, `${place}.${name}`);
  if (items !== undefined) yield* untyped(items, `${place}[]`);
  for (const choice of [...anyOf, ...oneOf]) yield* untyped(choice, place);
}

/** The properties that are required but not among those of the same schema, which linters warn of. */
function undefinedRequired(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { required, properties } = schema as { required?: unknown; properties?: object };
  const names = Array.isArray(required) ? required.filter((name) => !(name in (properties ?? {}))) : [];
  return [...names, ...Object.values(schema).flatMap(undefinedRequired)];
}

describe("the schemas of the document", () => {
  it("require only properties that they describe", () => {
    expect(undefinedRequired(schemas)).toEqual([]);
  });

  it("have patterns without escaped slashes, which generators cut", () => {
    expect(JSON.stringify(schemas).match(/"pattern":"[^"]*\\\\\/[^"]*"/g)).toBeNull();
  });

  it("say the type of every value", () => {
    expect(Object.entries(schemas).flatMap(([name, schema]) => [...untyped(schema, name)])).toEqual([]);
  });

  it.each(table.filter(({ name }) => name in fullBodies))(
    "allow the bodies of $name that the service accepts",
    async ({ name, body, upload }) => {
      const schema = (body ?? upload?.["application/json"])?.meta()?.id ?? "";
      for (const full of fullBodies[name] ?? [])
        expect([full, await isValid(schema, full)]).toEqual([full, true]);
      expect(await isValid(schema, [])).toBe(false);
    },
  );

  const change = { addTags: ["a"] };
  const ids = ["01900000-0000-7000-8000-000000000001"];
  const vcard = { type: "vcard", firstName: "Ada" };
  const replaced = { from: "a.example", to: "b.example" };
  const prefix = { from: "https://a.example", to: "https://b.example" };
  it.each<[endpoint: string, body: object]>([
    ["createQr", { qrType: "vcard", data: { ...vcard, address: {} } }],
    ["createQr", { qrType: "vcard", data: { type: "vcard", note: "Nobody" } }],
    ["createQr", { qrType: "vcard", data: { ...vcard, phones: [{ label: "work" }] } }],
    ["bulkUpdate", { ids, change: {} }],
    ["bulkUpdate", { ids, change: { replace: {} } }],
    ["bulkUpdate", { ids, change: { replace: { host: replaced, prefix } } }],
    ["bulkUpdate", { ids, filter: {}, change }],
    ["bulkUpdate", { change }],
    ["bulkUpdate", { ids }],
    ["bulkUpdate", { items: [{ externalId: "A" }], change }],
    ["bulkUpdate", { items: [{ externalId: "A" }], ids }],
    ["bulkUpdate", { items: [] }],
  ])("refuse the body of %s that the service refuses: %j", async (name, body) => {
    const endpoint = table.find((each) => each.name === name);
    const refused = await client.send("POST", endpoint?.path ?? "", body);
    const schema = endpoint?.body ?? endpoint?.upload?.["application/json"];
    expect([refused.status, await isValid(schema?.meta()?.id ?? "", body)]).toEqual([400, false]);
  });

  it.each([
    ["QrDataInput", `at most ${limits.data.bytes} bytes`],
    ["QrDataTelegram", "4 to 32 letters"],
    ["ColorConfig", `contrast of at least ${limits.contrast}:1`],
    ["ColorConfig", `${limits.freeForm.bytes} bytes`],
    ["ChoiceField", "No duplicates"],
    ["TextField", "different in each field of the form. Not `id` or `submittedAt`"],
  ])("%s has in words what no keyword says: %s", (name, rule) => {
    expect(JSON.stringify(schemas[name])).toContain(rule);
  });

  it("allow international email addresses", () => {
    const address = { format: "idn-email" };
    expect(schemas.QrDataEmail).toMatchObject({ properties: { to: address, cc: address, bcc: address } });
    expect(schemas.QrDataVcard).toMatchObject({ properties: { emails: { items: address } } });
    expect(schemas.QrDataVcardInput).toMatchObject({ properties: { emails: { items: address } } });
  });
});
