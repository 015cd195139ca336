import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { SignInLink } from "../../../src/contract/resources/identity/sign-in.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { OperatorWorkspaceDetails } from "../../../src/contract/resources/operations/operations.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { Authenticator, type Deviation, passkeyRequestOf } from "../../support/authenticator.ts";
import { Browser } from "../../support/browser.ts";
import { copyRow } from "../../support/catalogue/copied-rows.ts";
import { pageAt } from "../../support/dashboard.ts";
import { watched } from "../../support/runner/log-watch.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { noProvider } from "../../support/settings.ts";

const minute = 60_000;
const settings = { passkeys: true, provider: noProvider };
let clock: FakeClock;
let service: Service;
let device: Authenticator;

const signInLimit: RateLimit = { limit: async () => ({ success: true }) };

const serve = (overrides: DepsOverrides = {}) =>
  new Service({
    now: clock.now,
    signInLimit,
    ...overrides,
    settings: { ...settings, ...overrides.settings },
  });

beforeEach(() => {
  clock = new FakeClock();
  service = serve();
  device = new Authenticator(origin);
});

/** The path of a new link. */
async function link(body: object = { kind: "owner" }): Promise<string> {
  const { url } = await service.operator.expect(201, SignInLink, "POST", "/operator/sign-in-links", body);
  const path = url.slice(origin.length);
  watched(path.replace(/.*\//, ""), "link");
  return path;
}

/** Uses the page of a link, or to join. */
async function register(
  browser: Browser,
  path: string,
  fields: Record<string, string> = { person: "Ada", workspace: "Harbour Coffee" },
  authenticator = device,
  deviation: Deviation = {},
): Promise<Response> {
  const request = passkeyRequestOf(await pageAt(browser, path));
  const credential = await authenticator.create(request, deviation);
  return browser.submit(path, { ...fields, credential, sealed: request.sealed ?? "" });
}

async function join(browser = new Browser(service)): Promise<Browser> {
  const answer = await register(browser, await link());
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}/dashboard`]);
  return browser;
}

/** Signs in with a passkey. */
async function signIn(
  browser = new Browser(service),
  deviation: Deviation = {},
  authenticator = device,
): Promise<Response> {
  const request = passkeyRequestOf(await pageAt(browser, "/dashboard/sign-in"));
  const credential = await authenticator.sign(request, deviation);
  return browser.submit("/dashboard/sign-in", { credential });
}

const workspaceOf = async (browser: Browser) => {
  const answer = await browser.open("/api/v1/developer/workspace");
  return answer.status === 200 ? Workspace.parse(await answer.json()) : answer.status;
};

async function personOf(browser: Browser): Promise<string> {
  const { id } = Workspace.parse(await workspaceOf(browser));
  const path = `/operator/workspaces/${id}`;
  const { people } = await service.operator.expect(200, OperatorWorkspaceDetails, "GET", path);
  return people[0]?.id ?? "";
}

const text = async (answer: Response) => ({ status: answer.status, page: await answer.text() });
const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n;

describe("an owner's link", () => {
  it("leads through a passkey and the workspace's name to the overview, and signing in works from then on", async () => {
    const browser = new Browser(service);
    const path = await link();
    const page = await pageAt(browser, path);
    for (const shown of ["Create your workspace", "Your name", "Workspace name", "need JavaScript"]) {
      expect(page).toContain(shown);
    }
    const answer = await register(browser, path);
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard`);
    expect(await pageAt(browser, "/dashboard/settings")).toContain("Ada");
    expect(await workspaceOf(browser)).toMatchObject({ name: "Harbour Coffee", plan: "free" });

    await browser.submit("/dashboard/sign-out", {});
    expect(await workspaceOf(browser)).toBe(401);
    const back = await browser.submit("/dashboard/sign-in?return=/dashboard/codes", {
      credential: await device.sign(passkeyRequestOf(await pageAt(browser, "/dashboard/sign-in"))),
    });
    expect([back.status, back.headers.get("location")]).toEqual([303, `${origin}/dashboard/codes`]);
    expect(await workspaceOf(browser)).toMatchObject({ name: "Harbour Coffee" });
    expect(browser.cookies.has("challenge")).toBe(false);
  });

  it("gives the workspace the plan of the installation", async () => {
    service = serve({ settings: { defaultPlan: "business" } });
    expect(await workspaceOf(await join())).toMatchObject({ plan: "business" });
  });

  it("works once, also for two people at the same time", async () => {
    const path = await link();
    const before = [await count("users"), await count("workspaces"), await count("passkeys")];
    const others = [new Authenticator(origin), new Authenticator(origin), new Authenticator(origin)];
    const answers = await Promise.all(
      others.map((each) => register(new Browser(service), path, undefined, each)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    expect([await count("users"), await count("workspaces"), await count("passkeys")]).toEqual(
      before.map((n) => (n ?? 0) + 1),
    );
    const late = await text(await new Browser(service).open(path));
    expect(late.status).toBe(404);
    expect(late.page).toContain("This link no longer works");
  });

  it("works for an hour, is not used by opening it, and is unknown in another form", async () => {
    const path = await link();
    for (let i = 0; i < 3; i += 1) await pageAt(new Browser(service), path);
    const browser = new Browser(service);
    clock.advance(59 * minute);
    const request = passkeyRequestOf(await pageAt(browser, path));
    clock.advance(minute);
    const credential = await device.create(request);
    const fields = { person: "Ada", workspace: "W", credential, sealed: request.sealed ?? "" };
    expect((await browser.submit(path, fields)).status).toBe(404);
    await pageAt(browser, "/dashboard/links/x", 404);
    const digest = await env.DB.prepare("SELECT digest FROM sign_in_links").first<{ digest: string }>();
    expect(path).not.toContain(digest?.digest);
    await pageAt(browser, `/dashboard/links/${digest?.digest}`, 404);
  });

  it("keeps what was entered, and stays usable, if something is missing", async () => {
    const path = await link();
    const browser = new Browser(service);
    const refused = await text(await register(browser, path, { person: "Ada", workspace: " " }));
    expect(refused.status).toBe(400);
    expect(refused.page).toContain('value="Ada"');
    expect(refused.page).toContain("Enter a workspace name.");
    const unsigned = await text(await browser.submit(path, { person: "Ada", workspace: "W" }));
    expect(unsigned.status).toBe(400);
    expect(unsigned.page).toContain("need JavaScript");
    expect(unsigned.page).toContain('value="W"');
    expect((await register(browser, path)).status).toBe(303);
  });

  it.each<[string, Deviation]>([
    ["of another origin", { origin: "https://evil.example" }],
    ["of another domain", { rpId: "evil.example" }],
    ["without verification of the user", { flags: 0x41 }],
    ["that was a signature", { type: "webauthn.get" }],
    [
      "with certificates",
      {
        attestation: {
          format: "packed",
          statement: new Uint8Array([0xa1, 0x63, 0x78, 0x35, 0x63, 0x81, 0x41, 0x30]),
        },
      },
    ],
    ["with a statement of its maker", { attestation: { format: "tpm", statement: new Uint8Array([0xa0]) } }],
  ])("refuses a passkey %s", async (_, deviation) => {
    const before = await count("passkeys");
    const path = await link();
    const { status, page } = await text(
      await register(new Browser(service), path, undefined, device, deviation),
    );
    expect(status).toBe(403);
    expect(page).toContain("isn&#39;t accepted");
    expect(await count("passkeys")).toBe(before);
  });

  it("refuses the challenge of another link, and one that was used", async () => {
    const [first, second] = [await link(), await link()];
    const browser = new Browser(service);
    const request = passkeyRequestOf(await pageAt(browser, first));
    const fields = { person: "Ada", workspace: "W", sealed: request.sealed ?? "" };
    const credential = await device.create(request);
    expect((await browser.submit(second, { ...fields, credential })).status).toBe(400);
    expect((await browser.submit(first, { ...fields, credential })).status).toBe(303);
    expect((await browser.submit(second, { ...fields, credential })).status).toBe(400);
  });
});

describe("a recovery link", () => {
  it("ends all sessions, and replaces the passkeys by a new one", async () => {
    const browser = await join();
    const userId = await personOf(browser);
    const paths = [await link({ kind: "recovery", userId }), await link({ kind: "recovery", userId })];
    const found = new Browser(service);
    const page = await pageAt(found, paths[0] ?? "");
    expect(page).toContain("<strong>Ada</strong> gets a new passkey");
    expect(await workspaceOf(browser)).toMatchObject({ name: "Harbour Coffee" });

    const fresh = new Authenticator(origin);
    expect((await register(found, paths[0] ?? "", {}, fresh)).status).toBe(303);
    expect(await workspaceOf(found)).toMatchObject({ name: "Harbour Coffee" });
    expect(await workspaceOf(browser)).toBe(401);
    expect((await signIn()).status).toBe(403);
    expect((await signIn(new Browser(service), {}, fresh)).status).toBe(303);
    for (const path of paths) await pageAt(new Browser(service), path, 404);
  });

  it("is only for people that exist, and not for owners", async () => {
    const { operator } = service;
    const post = async (body: object) =>
      (await operator.send("POST", "/operator/sign-in-links", body)).status;
    expect(await post({ kind: "recovery" })).toBe(400);
    expect(await post({ kind: "owner", userId: crypto.randomUUID() })).toBe(400);
    expect(await post({ kind: "recovery", userId: crypto.randomUUID() })).toBe(404);
    service = serve({ settings: { passkeys: false } });
    expect((await service.operator.send("POST", "/operator/sign-in-links", { kind: "owner" })).status).toBe(
      400,
    );
  });
});

describe("signing in with a passkey", () => {
  it("accepts each signature once", async () => {
    await join();
    const browser = new Browser(service);
    const request = passkeyRequestOf(await pageAt(browser, "/dashboard/sign-in"));
    const credential = await device.sign(request);
    const cookie = browser.cookies.get("challenge") ?? "";
    const replay = () => {
      const thief = new Browser(service);
      thief.cookies.set("challenge", cookie);
      return thief.submit("/dashboard/sign-in", { credential });
    };
    const answers = await Promise.all([
      browser.submit("/dashboard/sign-in", { credential }),
      replay(),
      replay(),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    clock.advance(14 * minute);
    await sweep(service.deps);
    expect((await replay()).status).toBe(400);
    clock.advance(2 * minute);
    await sweep(service.deps);
    expect(await count("spent_challenges")).toBe(0);
    expect((await replay()).status).toBe(400);
  });

  it("shares a challenge between the tabs of a browser, and with nobody else", async () => {
    await join();
    const browser = new Browser(service);
    const first = passkeyRequestOf(await pageAt(browser, "/dashboard/sign-in"));
    await pageAt(browser, "/dashboard/sign-in");
    const other = passkeyRequestOf(await pageAt(new Browser(service), "/dashboard/sign-in"));
    expect(other.challenge).not.toBe(first.challenge);
    const foreign = await browser.submit("/dashboard/sign-in", { credential: await device.sign(other) });
    expect(foreign.status).toBe(403);
    const without = new Browser(service);
    const answer = await without.submit("/dashboard/sign-in", { credential: await device.sign(first) });
    expect(answer.status).toBe(400);
    // The refused attempt replaced the browser's challenge.
    expect((await signIn(browser)).status).toBe(303);
  });

  it("refuses a challenge after 15 minutes", async () => {
    await join();
    const browser = new Browser(service);
    const request = passkeyRequestOf(await pageAt(browser, "/dashboard/sign-in"));
    clock.advance(15 * minute + 1000);
    const { status, page } = await text(
      await browser.submit("/dashboard/sign-in", { credential: await device.sign(request) }),
    );
    expect(status).toBe(400);
    expect(page).toContain("took too long");
    expect((await signIn(browser)).status).toBe(303);
  });

  it("answers an unknown passkey as a wrong signature, and lets neither in", async () => {
    await join();
    const stranger = new Authenticator(origin);
    await stranger.create({ challenge: "x", sealed: undefined });
    const unknown = await text(await signIn(new Browser(service), {}, stranger));
    const wrong: Deviation[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { flags: 0x01 },
      { type: "webauthn.create" },
      { userHandle: "c29tZW9uZSBlbHNl" },
    ];
    const withoutOptions = (page: string) => page.replace(/data-options="[^"]*"/, "");
    for (const deviation of wrong) {
      const refused = await text(await signIn(new Browser(service), deviation));
      expect(refused.status).toBe(403);
      expect(withoutOptions(refused.page)).toBe(withoutOptions(unknown.page));
    }
  });

  it("refuses a counter that doesn't rise, as a copied passkey has", async () => {
    await join();
    device.counter = 7;
    expect((await signIn()).status).toBe(303);
    expect((await signIn()).status).toBe(403);
    device.counter = 6;
    expect((await signIn()).status).toBe(403);
    device.counter = 0;
    expect((await signIn()).status).toBe(403);
    device.counter = 8;
    const answers = await Promise.all([signIn(), signIn()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  });

  it.each(["", "{", "null", "[]", '{"id":"a"}', '{"id":{"toString":1},"type":"public-key"}'])(
    "refuses the answer %j",
    async (credential) => {
      const browser = new Browser(service);
      await pageAt(browser, "/dashboard/sign-in");
      const { status } = await browser.submit("/dashboard/sign-in", { credential });
      expect(status).toBe(credential === "" ? 400 : 403);
    },
  );

  it("refuses a body that is too large, and a form of another origin", async () => {
    const browser = new Browser(service);
    await pageAt(browser, "/dashboard/sign-in");
    const large = await browser.submit("/dashboard/sign-in", { credential: "x".repeat(40_000) });
    expect(large.status).toBe(413);
    const headers = { origin: "https://evil.example" };
    const foreign = await browser.send("POST", "/dashboard/sign-in", headers, new URLSearchParams());
    expect(foreign.status).toBe(403);
  });

  it("limits the attempts of a network", async () => {
    const networks: string[] = [];
    const refusing: RateLimit = {
      limit: async ({ key }) => {
        networks.push(key);
        return { success: false };
      },
    };
    service = serve({ signInLimit: refusing });
    const browser = new Browser(service);
    const headers = { origin, "cf-connecting-ip": "192.0.2.7" };
    const body = () => new URLSearchParams({ credential: "{}" });
    for (const path of ["/dashboard/sign-in", "/dashboard/links/x"]) {
      const answer = await browser.send("POST", path, headers, body());
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
      expect(await answer.text()).toContain("Too many attempts");
    }
    expect(networks).toEqual(["192.0.2.7", "192.0.2.7"]);
    expect((await browser.open("/dashboard/sign-in")).status).toBe(200);
  });
});

describe("what an installation offers", () => {
  it("passkeys and a provider, either or both", async () => {
    const page = await pageAt(new Browser(service), "/dashboard/sign-in");
    expect(page).toContain("Sign in with a passkey");
    expect(page).not.toContain("Continue with");

    const both = new Browser(new Service());
    const offered = await pageAt(both, "/dashboard/sign-in?return=/dashboard/codes");
    // A browser in which no passkey was used goes to the provider, and another one uses its passkey again.
    expect(offered).toMatch(/Continue with id\.example.*Sign in with a passkey/s);
    both.cookies.set("passkey", "yes");
    expect(await pageAt(both, "/dashboard/sign-in")).toMatch(/Sign in with a passkey.*Continue with id/s);
    expect(offered).toContain("/dashboard/sign-in/provider?return=%2Fdashboard%2Fcodes");

    const none = new Browser(serve({ settings: { passkeys: false } }));
    await pageAt(none, "/dashboard/sign-in", 503);
    const provided = new Browser(new Service({ settings: { passkeys: false } }));
    for (const path of ["/dashboard/sign-in", "/dashboard/links/x"]) {
      expect((await provided.submit(path, { credential: "{}" })).status).toBe(404);
    }
  });

  it("no way to join without a link, unless sign-up is open on the free plan", async () => {
    await pageAt(new Browser(service), "/dashboard/sign-up", 404);
    expect((await new Browser(service).submit("/dashboard/sign-up", {})).status).toBe(404);
    service = serve({ settings: { signUp: "open", defaultPlan: "business" } });
    await pageAt(new Browser(service), "/dashboard/sign-up", 404);

    service = serve({ settings: { signUp: "open" } });
    expect(await pageAt(new Browser(service), "/dashboard/sign-in")).toContain("/dashboard/sign-up");
    const browser = new Browser(service);
    expect((await register(browser, "/dashboard/sign-up")).status).toBe(303);
    expect(await workspaceOf(browser)).toMatchObject({ plan: "free" });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      const answer = await register(
        new Browser(service),
        "/dashboard/sign-up",
        undefined,
        new Authenticator(origin),
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array(9).fill(303), 429]);
    clock.advance(24 * 60 * minute);
    const next = new Authenticator(origin);
    expect((await register(new Browser(service), "/dashboard/sign-up", undefined, next)).status).toBe(303);
  });
});

describe("a person's passkeys", () => {
  const path = "/dashboard/settings/passkeys";
  const idsOf = (page: string) =>
    [...page.matchAll(/passkeys\/([0-9a-f-]{36})\/rename/g)].map(([, id]) => id ?? "");

  async function add(browser: Browser, name: string, authenticator = new Authenticator(origin)) {
    clock.advance(1000);
    const answer = await register(browser, `${path}/new`, { name }, authenticator);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + path]);
    return authenticator;
  }

  it("are listed, added, renamed and removed", async () => {
    const browser = await join();
    const second = await add(browser, "Work laptop");
    const page = await pageAt(browser, path);
    expect(page).toContain("Work laptop");
    const [first = "", added = ""] = idsOf(page);
    expect((await browser.submit(`${path}/${added}/rename`, { name: "" })).status).toBe(400);
    expect((await browser.submit(`${path}/${added}/rename`, { name: "Phone" })).status).toBe(303);
    expect(await pageAt(browser, path)).toContain("<strong>Phone</strong>");

    expect(await pageAt(browser, `${path}/${first}/remove`)).toContain("no longer signs you in");
    expect((await browser.submit(`${path}/${first}/remove`, {})).status).toBe(303);
    expect((await signIn()).status).toBe(403);
    expect((await signIn(new Browser(service), {}, second)).status).toBe(303);
    const last = await text(await browser.submit(`${path}/${added}/remove`, {}));
    expect(last).toMatchObject({ status: 409, page: expect.stringContaining("only way to sign in") });
    expect((await browser.submit(`${path}/${first}/remove`, {})).status).toBe(404);
  });

  it("keeps one of two that are removed at the same time", async () => {
    const browser = await join();
    await add(browser, "Second");
    const ids = idsOf(await pageAt(browser, path));
    const answers = await Promise.all(ids.map((id) => browser.submit(`${path}/${id}/remove`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  });

  it("are at most 20", async () => {
    const browser = await join();
    const ids = { id: "'passkey ' || i", credential_id: "'credential ' || i" };
    await copyRow("passkeys", `user_id = '${await personOf(browser)}'`, 19, ids);
    const more = register(browser, `${path}/new`, { name: "One more" }, new Authenticator(origin));
    const full = await text(await more);
    expect(full.status).toBe(409);
    expect(full.page).toContain("as many passkeys as you can have");
    expect(full.page).toContain('value="One more"');
  });

  it("belong to nobody else", async () => {
    const browser = await join();
    const [id = ""] = idsOf(await pageAt(browser, path));
    const stranger = new Browser(service);
    await register(stranger, await link(), undefined, new Authenticator(origin));
    await add(stranger, "Mine");
    expect((await stranger.submit(`${path}/${id}/rename`, { name: "Stolen" })).status).toBe(404);
    expect((await stranger.submit(`${path}/${id}/remove`, {})).status).toBe(404);
    await pageAt(stranger, `${path}/${id}/remove`, 404);
    // Neither a challenge nor a credential for the account of one serves that of the other.
    const request = passkeyRequestOf(await pageAt(browser, `${path}/new`));
    const credential = await new Authenticator(origin).create(request);
    const smuggled = { name: "Smuggled", credential, sealed: request.sealed ?? "" };
    expect((await stranger.submit(`${path}/new`, smuggled)).status).toBe(400);
    const known = new Authenticator(origin);
    await register(browser, `${path}/new`, { name: "First" }, known);
    expect((await signIn(new Browser(service), {}, known)).status).toBe(303);
  });

  it("can all be removed by someone who signs in at the provider as well", async () => {
    service = new Service({ signInLimit });
    const { cookie } = await service.session();
    const browser = new Browser(service);
    browser.cookies.set("session", cookie.replace("session=", ""));
    expect(await pageAt(browser, path)).toContain("No passkeys yet");
    await add(browser, "Only one", device);
    expect((await signIn()).status).toBe(303);
    const [id = ""] = idsOf(await pageAt(browser, path));
    expect((await browser.submit(`${path}/${id}/remove`, {})).status).toBe(303);
    expect((await signIn()).status).toBe(403);
  });
});
