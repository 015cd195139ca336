import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../../src/api/openapi.ts";
import "./compiler-api.ts";

/** An operation of the document, as far as it is looked at here. */
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
}

/** Returns whether a key can call an operation. */
const takesKey = ({ security = [{ apiKey: [] }] }: Operation) =>
  security.some((scheme) => "apiKey" in scheme);

/**
 * Writes the client's types: those of the OpenAPI document, as far as keys can reach it, and its routes by operation.
 * The file is not in the repository.
 * @param client the folder of its package
 */
export async function generateTypes(client: string): Promise<void> {
  const document = openApiDocument("https://qr.example", "session");
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
  const types = await generate({ ...document, paths } as OpenAPI3, {
    // A property with a default may be left out of a request.
    defaultNonNullable: false,
  });
  const table = `/** The method and path of each operation that a key can call. */\nexport interface routes {\n${routes.join("")}}\n`;
  const folder = join(client, "src/generated");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "openapi.ts"), `${astToString(types)}\n${table}`);
}
