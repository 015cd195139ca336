import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "vitest";
import { Deleted } from "../../../src/contract/resources/codes/qr.ts";
import { ApiKeyList, NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { MemberList } from "../../../src/contract/resources/identity/members.ts";
import { SignInLink } from "../../../src/contract/resources/identity/sign-in.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { Browser } from "../support/browser.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { callDeveloper, providerLinkOf, signIn } from "../support/sign-in.ts";
import { callOperator, sharedService } from "../support/workspaces.ts";

const server = sharedService();

const call = (browser: Browser, method: string, path: string, body?: unknown) =>
  callDeveloper(server, browser, method, path, body);

const listFoldersWith = (key: string) =>
  fetch(`${server.origin}/api/v1/folders`, { headers: { authorization: `Bearer ${key}` } });

it("signs demo in to the demo workspace, where keys are created, used and revoked", async () => {
  const browser = await signIn(server, "demo");
  expect(browser.page).toMatch(/<a class="brand"[^>]* aria-label="Demo, overview">/);
  const workspace = await readStrictly(call(browser, "GET", "/workspace"), 200, Workspace);
  expect(workspace).toMatchObject({ name: "Demo", plan: "business" });

  const created = await readStrictly(
    call(browser, "POST", "/keys", { name: "From outside", type: "secret" }),
    201,
    NewApiKey,
  );
  expect((await listFoldersWith(created.key)).status).toBe(200);
  const { keys } = await readStrictly(call(browser, "GET", "/keys"), 200, ApiKeyList);
  expect(keys.map(({ name }) => name)).toEqual(["Demo", "Embed demo", "From outside"]);

  const otherBrowser = await signIn(server, "someone-else");
  expect(otherBrowser.page).toContain("someone-else&#39;s workspace");
  const otherWorkspace = await readStrictly(call(otherBrowser, "GET", "/workspace"), 200, Workspace);
  expect(otherWorkspace.id).not.toBe(workspace.id);
  expect((await call(otherBrowser, "DELETE", `/keys/${created.id}`)).status).toBe(404);
  expect((await listFoldersWith(created.key)).status).toBe(200);

  await readStrictly(call(browser, "DELETE", `/keys/${created.id}`), 200, Deleted);
  expect((await listFoldersWith(created.key)).status).toBe(401);
});

it("signs out, after which another user can sign in", async () => {
  const browser = await signIn(server, "demo");
  await browser.open("/dashboard/settings/account");
  await browser.submit({});
  expect(browser.page).toContain("You are signed out");
  expect((await call(browser, "GET", "/workspace")).status).toBe(401);
  const [, link = ""] = /href="([^"]+)"[^>]*>Sign in again/.exec(browser.page) ?? [];
  await browser.open(link);
  await browser.open(providerLinkOf(browser.page));
  expect(browser.page).toContain("Sign in for local development");
  await browser.submit({ name: "second user" });
  // The provider first asks to end the earlier user's session, by a form that its page submits with a script.
  await browser.submit({});
  expect(browser.page).toContain("second user&#39;s workspace");
});

const addingPath = "/dashboard/settings/passkeys/new";

/** Opens the provider from the browser's page. @param isEdited whether the address has lost what it demands */
async function openProvider(
  browser: Browser,
  demands: readonly (string | null)[],
  isEdited: boolean,
): Promise<void> {
  const begun = await browser.fetch(providerLinkOf(browser.page));
  const address = new URL(begun.headers.get("location") ?? "");
  const query = address.searchParams;
  expect([query.get("prompt"), query.get("max_age")]).toEqual(demands);
  for (const name of isEdited ? ["prompt", "max_age"] : []) query.delete(name);
  await browser.open(address.href);
}

/** Signs in at the provider, which names no time unless it is asked for one. */
async function signInAt(browser: Browser, isEdited: boolean): Promise<void> {
  await browser.open(server.dashboard);
  await openProvider(browser, [null, "2592000"], isEdited);
  await browser.submit({ name: "careful" });
}

async function signInAgain(browser: Browser, isEdited: boolean): Promise<void> {
  await browser.open(`${server.origin}/dashboard/sign-in/again?return=${addingPath}`);
  expect(browser.page).toContain("Confirm it&#39;s you");
  await openProvider(browser, ["login", "0"], isEdited);
}

/** Whether the browser's session may add a passkey. */
async function mayAdd(browser: Browser): Promise<boolean> {
  await browser.open(server.origin + addingPath);
  expect(browser.page).toContain(browser.status === 200 ? "data-passkey" : "Confirm it&#39;s you");
  return browser.status === 200;
}

it("asks for credentials again at the provider, and believes nothing but the time that it names", async () => {
  const asked = new Browser();
  await signInAt(asked, false);
  expect([asked.url.href, await mayAdd(asked)]).toEqual([server.dashboard, true]);

  const browser = new Browser();
  await signInAt(browser, true);
  expect([browser.url.href, await mayAdd(browser)]).toEqual([server.dashboard, false]);

  // The provider renews its session without a question, and names no time, as nobody has asked it for either.
  await signInAgain(browser, true);
  expect(browser.page).toContain("didn&#39;t confirm that you have just signed in");
  expect(await mayAdd(browser)).toBe(false);

  // A link of the operator helps where a provider never names one.
  const { id } = await readStrictly(call(browser, "GET", "/workspace"), 200, Workspace);
  const { members } = await readStrictly(call(browser, "GET", "/members"), 200, MemberList);
  const link = { kind: "confirmation", userId: members[0]?.id };
  const { url } = SignInLink.parse(await callOperator(server, "POST", "/sign-in-links", link));
  await browser.open(url);
  await browser.submit({});
  expect(await mayAdd(browser)).toBe(true);

  const another = new Browser();
  await signInAt(another, true);
  expect(await mayAdd(another)).toBe(false);
  await signInAgain(another, false);
  expect(another.page).toContain("Sign in for local development");
  await another.submit({ name: "careful" });
  expect([another.url.pathname, another.status]).toEqual([addingPath, 200]);
  expect((await readStrictly(call(another, "GET", "/workspace"), 200, Workspace)).id).toBe(id);
});

it("shows a user who declines to sign in an error with a link to try again", async () => {
  const browser = new Browser();
  await browser.open(`${server.origin}/dashboard`);
  await browser.open(providerLinkOf(browser.page));
  await browser.submit({ name: "", cancel: "yes" });
  expect(browser.status).toBe(403);
  expect(browser.page).toContain("You declined");
  const [, link = ""] = /href="([^"]+)"[^>]*>Try again/.exec(browser.page) ?? [];
  await browser.open(link);
  await browser.open(providerLinkOf(browser.page));
  expect(browser.page).toContain("Sign in for local development");
});

it("accepts the provider's ID token as a bearer token", async () => {
  const idTokenOf = async (name: string) =>
    (await fetch(`${server.issuer}/id-token?name=${encodeURIComponent(name)}`)).text();
  const getWorkspace = (token: string) =>
    fetch(`${server.origin}/api/v1/developer/workspace`, { headers: { authorization: `Bearer ${token}` } });
  const demo = await readStrictly(getWorkspace(await idTokenOf("demo")), 200, Workspace);
  expect(demo.name).toBe("Demo");
  const created = await readStrictly(getWorkspace(await idTokenOf("a program")), 200, Workspace);
  expect(created).toMatchObject({ name: "a program's workspace", plan: "free" });
  const token = await idTokenOf("demo");
  expect((await getWorkspace(`${token.slice(0, -6)}AAAAAA`)).status).toBe(401);
});

it("gives no token to a page whose host name leads to this machine", async () => {
  const { port } = new URL(server.issuer);
  const statusFor = async (host: string) => {
    const asked = request({ host: "127.0.0.1", port, path: "/id-token?name=demo", headers: { host } });
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await statusFor(`localhost:${port}`)).toBe(200);
  for (const host of ["rebound.example", `rebound.example:${port}`, "localhost.rebound.example"]) {
    expect(await statusFor(host)).toBe(421);
  }
});
