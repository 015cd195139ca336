import { expect, it } from "vitest";
import { ApiKeyList, NewApiKey } from "../../src/contract/resources/keys.ts";
import { Deleted } from "../../src/contract/resources/qr.ts";
import { Workspace } from "../../src/contract/resources/workspace.ts";
import { Browser } from "./support/browser.ts";
import { callDeveloper, signIn } from "./support/sign-in.ts";
import { readStrictly } from "./support/read-strictly.ts";
import { sharedService } from "./support/workspaces.ts";

const server = sharedService();

const call = (browser: Browser, method: string, path: string, body?: unknown) =>
  callDeveloper(server, browser, method, path, body);

const withKey = (key: string) =>
  fetch(`${server.origin}/api/v1/folders`, { headers: { authorization: `Bearer ${key}` } });

it("signs demo in to the demo workspace, where keys are made, used and revoked", async () => {
  const browser = await signIn(server, "demo");
  expect(browser.page).toContain("<h1>Demo</h1>");
  const workspace = await readStrictly(call(browser, "GET", "/workspace"), 200, Workspace);
  expect(workspace).toMatchObject({ name: "Demo", plan: "business" });

  const made = await readStrictly(
    call(browser, "POST", "/keys", { name: "From outside", type: "secret" }),
    201,
    NewApiKey,
  );
  expect((await withKey(made.key)).status).toBe(200);
  const { keys } = await readStrictly(call(browser, "GET", "/keys"), 200, ApiKeyList);
  expect(keys.map(({ name }) => name)).toEqual(["Demo", "Embed demo", "From outside"]);

  const other = await signIn(server, "someone-else");
  expect(other.page).toContain("someone-else&#39;s workspace");
  const theirs = await readStrictly(call(other, "GET", "/workspace"), 200, Workspace);
  expect(theirs.id).not.toBe(workspace.id);
  expect((await call(other, "DELETE", `/keys/${made.id}`)).status).toBe(404);
  expect((await withKey(made.key)).status).toBe(200);

  await readStrictly(call(browser, "DELETE", `/keys/${made.id}`), 200, Deleted);
  expect((await withKey(made.key)).status).toBe(401);
});

it("signs out, and lets somebody else in afterwards", async () => {
  const browser = await signIn(server, "demo");
  await browser.submit({});
  expect(browser.page).toContain("You are signed out");
  expect((await call(browser, "GET", "/workspace")).status).toBe(401);
  const [, again = ""] = /href="([^"]+)">Sign in again/.exec(browser.page) ?? [];
  await browser.open(again);
  expect(browser.page).toContain("Who are you?");
  await browser.submit({ name: "somebody new" });
  // The provider forgets the first person by a form that a script of its page would send.
  await browser.submit({});
  expect(browser.page).toContain("somebody new&#39;s workspace");
});

it("shows who declines that they are not signed in, and the way back", async () => {
  const browser = new Browser();
  await browser.open(`${server.origin}/dashboard`);
  await browser.submit({ name: "", cancel: "yes" });
  expect(browser.status).toBe(403);
  expect(browser.page).toContain("You declined");
  const [, again = ""] = /href="([^"]+)">Try again/.exec(browser.page) ?? [];
  await browser.open(again);
  expect(browser.page).toContain("Who are you?");
});

it("takes a token of the provider from a program", async () => {
  const tokenOf = async (name: string) =>
    (await fetch(`${server.issuer}/id-token?name=${encodeURIComponent(name)}`)).text();
  const workspaceOf = (token: string) =>
    fetch(`${server.origin}/api/v1/developer/workspace`, { headers: { authorization: `Bearer ${token}` } });
  const demo = await readStrictly(workspaceOf(await tokenOf("demo")), 200, Workspace);
  expect(demo.name).toBe("Demo");
  const fresh = await readStrictly(workspaceOf(await tokenOf("a program")), 200, Workspace);
  expect(fresh).toMatchObject({ name: "a program's workspace", plan: "free" });
  const token = await tokenOf("demo");
  expect((await workspaceOf(`${token.slice(0, -6)}AAAAAA`)).status).toBe(401);
});
