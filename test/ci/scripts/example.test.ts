import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { colleagues, companyName } from "../../../scripts/company/company.ts";
import { examplePath } from "../../../scripts/lib/identity/identity.ts";
import { MemberList } from "../../../src/contract/resources/identity/members.ts";
import { DevServer } from "../../e2e/support/dev-server.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { callDeveloper, signIn } from "../../e2e/support/sign-in.ts";

let data: string;
let server: DevServer;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "qr-example-"));
  server = await DevServer.start(["--persist-to", data]);
});
afterAll(async () => {
  await server?.interrupt();
  await rm(data, { recursive: true });
});

it("an empty workspace opens the example company: its people, its designs and its undone job", async () => {
  const browser = await signIn(server, "demo");
  const address = server.issuer + examplePath;
  expect(browser.page).toContain(`<a class="button plain" href="${address}" hx-boost="false">`);
  const elsewhere = await fetch(address, { method: "POST", headers: { origin: "https://evil.example" } });
  expect(elsewhere.status).toBe(403);
  expect(await (await fetch(address)).text()).toContain(`Open ${companyName}`);

  const asked = await fetch(address, { method: "POST", headers: { origin: server.issuer } });
  expect(await asked.text()).toContain(`Adding ${companyName}`);
  await vi.waitFor(
    async () => {
      const answer = await fetch(address, { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, server.dashboard]);
    },
    { timeout: 240_000, interval: 500 },
  );
  await browser.open(server.dashboard);
  expect(browser.page).toContain(`aria-label="${companyName}, overview"`);

  const get = (path: string) => callDeveloper(server, browser, "GET", path);
  const { members } = await readStrictly(get("/members"), 200, MemberList);
  const roles = members.map(({ name, role }) => `${name}: ${role}`);
  expect(roles).toEqual(
    expect.arrayContaining([
      "Inês Almeida: owner",
      ...colleagues.map(({ name, role }) => `${name}: ${role}`),
    ]),
  );
  await browser.open(`${server.dashboard}/history`);
  for (const change of ["paused", "restored the tags of 3 codes", "changed the design of"]) {
    expect(browser.page).toContain(change);
  }
  await browser.open(`${server.dashboard}/jobs`);
  expect(browser.status).toBe(200);
});
