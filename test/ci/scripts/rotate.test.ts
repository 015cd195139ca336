import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  bindingOf,
  clearLines,
  cloudflare,
  folder,
  install,
  installed,
  messageOf,
  noon,
  rotateAt,
  said,
  secretNames,
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const hour = 60 * 60_000;
const day = 24 * hour;
const secrets = [
  "OIDC_CLIENT_SECRET",
  "OPERATOR_SECRET",
  "SESSION_SECRET",
  "VISITOR_SECRET",
  "WEBHOOK_SECRET",
];

beforeEach(() => installed());

describe("npm run rotate", () => {
  it.each([
    ["SESSION_SECRET", 12 * hour, "2026-11-24 00:05 UTC"],
    ["VISITOR_SECRET", 7 * day, "2026-11-30 12:05 UTC"],
  ])(
    "puts a new %s beside the present one, and removes that one when it is no longer needed",
    async (name, overlap, end) => {
      const before = bindingOf(name)?.text;
      await rotateAt(noon, name);
      expect(secretNames()).toEqual([...secrets, `${name}_202611231205`].sort());
      expect(bindingOf(name)?.text).toBe(before);
      expect(bindingOf(`${name}_202611231205`)?.text).toMatch(/^[\w-]{43}$/);
      expect(said()).toContain(`From ${end} on`);
      expect(said()).toContain(`npm run rotate -- ${name} --finish`);

      expect(await messageOf(rotateAt(noon + overlap - 1, name, { finish: true }))).toContain(
        "is needed until",
      );
      expect(bindingOf(name)?.text).toBe(before);
      await rotateAt(noon + overlap + 60_000, name, { finish: true });
      expect(secretNames()).toEqual(
        [...secrets.filter((each) => each !== name), `${name}_202611231205`].sort(),
      );

      await rotateAt(noon + 30 * day, name);
      await rotateAt(noon + 31 * day, name, { finish: true, now: true });
      expect(secretNames()).toContain(`${name}_202612231205`);
      expect(secretNames()).toHaveLength(secrets.length);
    },
  );

  it("stores one new secret, however often it is run, and finishes once", async () => {
    await rotateAt(noon, "SESSION_SECRET");
    const stored = bindingOf("SESSION_SECRET_202611231205");
    await rotateAt(noon + hour, "SESSION_SECRET");
    expect(bindingOf("SESSION_SECRET_202611231205")).toEqual(stored);
    expect(secretNames()).toHaveLength(secrets.length + 1);
    for (let i = 0; i < 2; i += 1) await rotateAt(noon + day, "SESSION_SECRET", { finish: true });
    expect(said()).toContain("There is no previous SESSION_SECRET to remove.");
  });

  it("says what a new VISITOR_SECRET means for distinct visitors", async () => {
    await rotateAt(noon, "VISITOR_SECRET");
    expect(said()).toContain("people who scanned before count as new visitors once");
  });

  it("has the signing secrets of webhooks encrypted again, and keeps the previous secret until they are", async () => {
    cloudflare.encrypted.set("WEBHOOK_SECRET", 3);
    cloudflare.hasFailingLedger = true;
    expect(await messageOf(rotateAt(noon, "WEBHOOK_SECRET"))).toContain("Run the same command again.");
    expect(await messageOf(rotateAt(noon + hour, "WEBHOOK_SECRET", { finish: true }))).toContain(
      "did not answer",
    );
    expect(secretNames()).toContain("WEBHOOK_SECRET");
    cloudflare.hasFailingLedger = false;
    await rotateAt(noon + hour, "WEBHOOK_SECRET");
    expect(said()).toContain("3 signing secrets of webhooks encrypted again");
    expect([...cloudflare.encrypted]).toEqual([["WEBHOOK_SECRET_202611231205", 3]]);
    await rotateAt(noon + 2 * hour, "WEBHOOK_SECRET", { finish: true });
    expect(secretNames()).not.toContain("WEBHOOK_SECRET");
  });

  it("stores a secret again that a rollback has taken from the service, so that nothing becomes unreadable", async () => {
    const script = cloudflare.scripts.get("qr-code-management-service") ?? [];
    const before = [...script];
    const name = "WEBHOOK_SECRET";
    cloudflare.encrypted.set(name, 3);
    await rotateAt(noon, name);
    await rotateAt(noon + hour, name, { finish: true });
    const rotated = bindingOf(`${name}_202611231205`);
    const { mode } = await stat(join(folder, "installations/qr.rotated-secrets"));
    expect(mode & 0o777).toBe(0o600);
    // As `wrangler rollback` does.
    cloudflare.scripts.set("qr-code-management-service", before);
    expect(bindingOf(`${name}_202611231205`)).toBeUndefined();
    clearLines();
    expect(await messageOf(rotateAt(noon + day, name, { finish: true }))).toContain(
      `Store it again first: npm run rotate -- ${name}`,
    );
    await rotateAt(noon + day, name);
    expect(bindingOf(`${name}_202611231205`)).toEqual(rotated);
    expect(said()).toContain(`✓ ${name}_202611231205 stored again`);
    expect([...cloudflare.encrypted]).toEqual([[`${name}_202611231205`, 3]]);
    await rotateAt(noon + 2 * day, name, { finish: true });
    expect(secretNames()).not.toContain(name);
  });

  it("keeps the operator's secret in its file, also if it is interrupted while it stores it", async () => {
    const previous = (await written("qr.operator-secret")).trim();
    cloudflare.intercept = (request) =>
      request.endsWith("/secrets-bulk") ? { status: 500, code: 1, message: "interrupted" } : undefined;
    expect(await messageOf(rotateAt(noon, "OPERATOR_SECRET"))).toContain("interrupted");
    expect((await written("qr.operator-secret")).trim()).toBe(previous);
    cloudflare.intercept = () => undefined;
    await rotateAt(noon, "OPERATOR_SECRET");
    const next = (await written("qr.operator-secret")).trim();
    expect(next).not.toBe(previous);
    expect(bindingOf("OPERATOR_SECRET_202611231205")?.text).toBe(next);
    await rotateAt(noon + 60_000, "OPERATOR_SECRET", { finish: true });
    expect(secretNames()).not.toContain("OPERATOR_SECRET");
    await expect(readFile(join(folder, "installations/qr.operator-secret.next"))).rejects.toThrow("ENOENT");
    clearLines();
    await install(["--yes"]);
    expect(said()).not.toMatch(/^ {2}(store|replace) /m);
    expect(bindingOf("OPERATOR_SECRET_202611231205")?.text).toBe(next);
  });

  it("takes the client secret that the provider issued", async () => {
    expect(await messageOf(rotateAt(noon, "OIDC_CLIENT_SECRET"))).toContain(
      "Have your identity provider issue",
    );
    await rotateAt(noon, "OIDC_CLIENT_SECRET", {}, { OIDC_CLIENT_SECRET: "issued" });
    expect(bindingOf("OIDC_CLIENT_SECRET_202611231205")?.text).toBe("issued");
    expect(said()).toContain("Now sign in once.");
  });

  it("refuses what isn't a secret, and prints none", async () => {
    expect(await messageOf(rotateAt(noon, "PASSWORD"))).toContain("Choose one of SESSION_SECRET");
    for (const name of secrets)
      await rotateAt(noon, name, {}, { OIDC_CLIENT_SECRET: "issued-by-the-provider" });
    for (const name of secretNames()) {
      const { text = "" } = bindingOf(name) ?? {};
      if (text !== "none") expect(said()).not.toContain(text);
    }
  });
});
