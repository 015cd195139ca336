import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../../src/api/openapi.ts";
import "./compiler-api.ts";

/** An operation of the document: the parts used here. */
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
}

/** Returns whether a key can call an operation. */
const takesKey = ({ security = [{ apiKey: [] }] }: Operation) =>
  security.some((scheme) => "apiKey" in scheme);

/** A schema of the document: the parts used here. */
interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> };
}

/** No value: the generator makes it `never`. */
const nothing = { enum: [] };

/**
 * Returns the schemas with `qrType` and `data` as one union, so that the compiler knows one by the other. Clients made by
 * other generators would get harder types from such a document.
 */
function withTypedData(schemas: Readonly<Record<string, Schema>>): Record<string, object> {
  /** The types of codes with the schemas of their data; requests and answers have different ones. */
  const typesIn = (data: { readonly $ref?: string }) =>
    Object.entries(schemas[data.$ref?.split("/").at(-1) ?? ""]?.discriminator?.mapping ?? {});
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { qrType, data, ...others } = schema.properties ?? {};
      if (qrType === undefined || data === undefined) return [name, schema];
      const { required = [], ...rest } = schema;
      const isPaired = (property: string) => property === "qrType" || property === "data";
      const pair = (type: object, content: object) => ({
        type: "object",
        properties: { qrType: { ...qrType, ...type }, data: content },
        required: required.filter(isPaired),
      });
      const pairs = typesIn(data).map(([type, $ref]) => pair({ enum: [type] }, { $ref }));
      // Without the type, the data may be of any.
      const oneOf = required.includes("qrType") ? pairs : [pair(nothing, data), ...pairs];
      const base = { ...rest, properties: others, required: required.filter((each) => !isPaired(each)) };
      return [name, { allOf: [base, { oneOf }] }];
    }),
  );
}

/**
 * Writes the client's types: those of the OpenAPI document, as far as keys can reach it, and its routes by operation.
 * The file is not in the repository.
 * @param client the folder of its package
 */
export async function generateTypes(client: string): Promise<void> {
  const document = openApiDocument("https://qr.example", "session", "QR");
  const routes: string[] = [];
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      if (!takesKey(operation)) continue;
      paths[path] = { ...paths[path], [method]: operation };
      routes.push(`    ${operation.operationId}: "${method.toUpperCase()} ${path}";\n`);
    }
  }
  // Loaded here, because it needs the hook above.
  const { default: generate, astToString } = await import("openapi-typescript");
  const schemas = withTypedData(document.components?.schemas as Readonly<Record<string, Schema>>);
  const components = { ...document.components, schemas };
  const types = await generate({ ...document, paths, components } as OpenAPI3, {
    // A property with a default may be left out of a request.
    defaultNonNullable: false,
  });
  const table = `/** The method and path of each operation that a key can call. */\nexport interface routes {\n${routes.join("")}}\n`;
  const folder = join(client, "src/generated");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "openapi.ts"), `${astToString(types)}\n${table}`);
}
