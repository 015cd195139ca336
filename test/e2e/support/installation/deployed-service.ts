import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import type { Binding } from "../../../../scripts/lib/account/reads.ts";
import type { Cloudflare } from "./cloudflare.ts";

const moduleTypes: Readonly<Record<string, "ESModule" | "CompiledWasm" | "Data" | "Text">> = {
  "application/javascript+module": "ESModule",
  "application/wasm": "CompiledWasm",
  "application/octet-stream": "Data",
  "text/plain": "Text",
};

const isTextual = (value: Binding): boolean => value.type === "plain_text" || value.type === "secret_text";

/**
 * Runs the service that is deployed to a stand-in, as it was uploaded: its hosts then answer with the service itself, and
 * the stand-in's database is the service's.
 */
export class DeployedService implements AsyncDisposable {
  readonly #miniflare: Miniflare;
  #isDeployed = false;

  /**
   * @param cloudflare gets the service
   * @param name the Worker's name
   * @param config the path of the configuration that it is deployed with
   */
  constructor(cloudflare: Cloudflare, name: string, config: string) {
    const empty = { modules: true as const, script: "export default {}", d1Databases: { DB: "catalogue" } };
    this.#miniflare = new Miniflare(convertV4MiniflareOptions(empty));
    cloudflare.execute = (sql, params) => this.#execute(sql, params);
    cloudflare.uploaded = async (uploadedName, form, bindings) => {
      if (uploadedName === name) await this.#deploy(form, bindings, config);
    };
  }

  /** Reaches the service at the address of its host. */
  readonly fetch: typeof fetch = async (input, init) => {
    if (!this.#isDeployed) throw new TypeError("fetch failed");
    const { method = "GET", headers, body } = init ?? {};
    const response = await this.#miniflare.dispatchFetch(String(input), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      redirect: "manual",
      ...(typeof body === "string" ? { body } : {}),
    });
    return new Response(response.status === 302 ? null : await response.text(), {
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
  };

  async #execute(sql: string, params: readonly string[]): Promise<unknown[]> {
    const database = await this.#miniflare.getD1Database("DB");
    const statements = unstable_splitSqlQuery(sql).map((statement) =>
      params.length > 0 ? database.prepare(statement).bind(...params) : database.prepare(statement),
    );
    return statements.length === 0 ? [] : database.batch(statements);
  }

  async #deploy(form: FormData, stored: readonly Binding[], config: string): Promise<void> {
    const { main_module: main } = JSON.parse(await textOf(form.get("metadata"))) as { main_module: string };
    const parts = [...form].flatMap(([name, part]) => (part instanceof File ? [{ name, part }] : []));
    const modules = await Promise.all(
      parts
        .filter(({ part }) => part.type in moduleTypes)
        .map(async ({ name, part }) => ({
          type: moduleTypes[part.type] ?? "Data",
          path: `/${name}`,
          contents: new Uint8Array(await part.arrayBuffer()),
        })),
    );
    modules.sort((one, other) => Number(other.path === `/${main}`) - Number(one.path === `/${main}`));
    // It runs without the images Worker, which a scan doesn't need.
    const { serviceBindings: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
    await this.#miniflare.setOptions(
      convertV4MiniflareOptions({
        ...options,
        d1Databases: { DB: "catalogue" },
        modulesRoot: "/",
        modules,
        bindings: Object.fromEntries(stored.filter(isTextual).map(({ name, text }) => [name, text ?? ""])),
      }),
    );
    this.#isDeployed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
  }
}

const textOf = async (part: FormDataEntryValue | null): Promise<string> =>
  part instanceof File ? part.text() : (part ?? "{}");
