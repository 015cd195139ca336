import { expect, it, vi } from "vitest";
import { requireOperator } from "../../../src/domain/operations/operator.ts";
import { Service } from "../../support/service.ts";
import { keyring } from "../../support/settings.ts";

const pass = (service: Service, authorization: string | undefined, address = "192.0.2.1") =>
  requireOperator(service.deps, authorization, address).then(
    () => "passes",
    ({ code }: { code: string }) => code,
  );

it("accepts only the secret", async () => {
  const service = new Service({
    settings: { operatorSecrets: keyring("another-secret-of-32-characters-or-more") },
  });
  const one = new Service();
  const { operatorSecret } = one;
  expect(await pass(one, `Bearer ${operatorSecret}`)).toBe("passes");
  expect(await pass(one, `bearer  ${operatorSecret} `)).toBe("passes");
  for (const wrong of [undefined, "", "Bearer", "Bearer ", operatorSecret, `Bearer ${operatorSecret}x`]) {
    expect(await pass(one, wrong)).toBe("unauthorized");
  }
  expect(await pass(service, `Bearer ${operatorSecret}`)).toBe("unauthorized");
});

it("accepts the previous secret until it is removed", async () => {
  const [next, previous] = ["the-next-secret-of-32-characters-", "the-previous-secret-of-32-characters"];
  const rotating = new Service({ settings: { operatorSecrets: keyring(next, previous) } });
  expect(await pass(rotating, `Bearer ${next}`)).toBe("passes");
  expect(await pass(rotating, `Bearer ${previous}`)).toBe("passes");
  const rotated = new Service({ settings: { operatorSecrets: [{ id: 2, secret: next }] } });
  expect(await pass(rotated, `Bearer ${next}`)).toBe("passes");
  expect(await pass(rotated, `Bearer ${previous}`)).toBe("unauthorized");
});

it("refuses every request if no secret is configured", async () => {
  const service = new Service({ settings: { operatorSecrets: [] } });
  for (const authorization of [undefined, "Bearer", "Bearer ", "Bearer x"]) {
    expect(await pass(service, authorization)).toBe("unauthorized");
  }
});

it.each([
  ["x".repeat(31), "unauthorized", ["OPERATOR_SECRET must have at least 32 characters"]],
  ["x".repeat(32), "passes", []],
  ["", "unauthorized", []],
])("with the secret %j: %s, and the reason is logged once", async (operatorSecret, outcome, problems) => {
  const warn = vi.spyOn(console, "warn");
  const service = new Service({ settings: { operatorSecrets: keyring(operatorSecret) } });
  for (let i = 0; i < 2; i += 1) expect(await pass(service, `Bearer ${operatorSecret}`)).toBe(outcome);
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  warn.mockRestore();
  const closed = lines.filter(({ message }) => message === "operator access is off");
  expect(closed.map(({ problem }) => problem)).toEqual(problems);
});

it("throttles an address that tries secrets", async () => {
  const service = new Service();
  let outcome = "unauthorized";
  // The limit of 300 is per clock minute, so up to 600 guesses are counted if a minute ends during the test.
  for (let i = 0; i < 602 && outcome === "unauthorized"; i += 1) {
    outcome = await pass(service, `Bearer guess-${i}`, "192.0.2.7");
  }
  expect(outcome).toBe("rate_limited");
  expect(await pass(service, `Bearer ${service.operatorSecret}`, "192.0.2.8")).toBe("passes");
});
