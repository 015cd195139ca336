import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { version } from "../src/lib/version.ts";
import { createWorker } from "../src/worker.ts";

const settings = { SCAN_ORIGIN: "https://qr.example", APP_ORIGIN: "https://app.example" };

/** Bindings that fail as soon as they are touched. */
const failing = Object.fromEntries(
  Object.entries(env)
    .filter(([, binding]) => typeof binding !== "string")
    .map(([name]) => [
      name,
      new Proxy(
        {},
        {
          get: (_, property) => {
            throw new Error(`${name}.${String(property)} was used`);
          },
        },
      ),
    ]),
);

const ask = (bindings: object, url: string, method = "GET") =>
  createWorker().fetch(
    new Request<unknown, IncomingRequestCfProperties>(url, { method }),
    { ...settings, ...bindings } as Env,
    createExecutionContext(),
  );

it.each([
  ["without any binding", {}],
  ["with bindings that fail", failing],
])("answers at /healthz of both hosts %s, and says nothing but the version", async (_, bindings) => {
  for (const origin of Object.values(settings)) {
    const response = await ask(bindings, `${origin}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ version });
    expect((await ask(bindings, `${origin}/healthz`, "HEAD")).status).toBe(200);
    expect((await ask(bindings, `${origin}/healthz`, "POST")).status).toBe(404);
  }
  expect(version).toMatch(/^\d+\.\d+\.\d+(-dev)?$/);
});
