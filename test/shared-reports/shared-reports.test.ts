import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { pictureSize } from "../support/images/pictures.ts";
import { scanRecord } from "../support/scans/scans.ts";
import { recordVaried } from "../support/scans/varied-scans.ts";
import { type Client, FakeClock, origin, Service, type SessionClient } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const day = 24 * 60 * 60 * 1000;
const clock = new FakeClock(Date.UTC(2026, 9, 20, 12));
const service = new Service({ now: clock.now });
let session: SessionClient;
let client: Client;
let code: Qr;

beforeAll(begin);

/** Makes a workspace with a code and its scans. */
async function begin(): Promise<void> {
  session = await service.session();
  client = await service.client(session.workspaceId);
  code = await client.createQr({ name: "Poster <b>", tags: ["fair & co"] });
  await scan(Date.UTC(2026, 8, 10), 5);
  await scan(Date.UTC(2026, 9, 10), 2);
}

const scan = (at: number, count: number) =>
  recordVaried(
    service,
    Array.from({ length: count }, () =>
      scanRecord({ at, workspaceId: session.workspaceId, qrId: code.id, hash: code.hash, city: "Köln" }),
    ),
  );

const post = (path: string, fields: readonly (readonly [string, string])[], by = session) =>
  service.fetch(`/dashboard${path}`, {
    method: "POST",
    headers: {
      cookie: by.cookie,
      origin,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });

const september = [
  ["allow", "custom"],
  ["from", "2026-09-01"],
  ["to", "2026-09-30"],
] as const;

/** Shares a report, and returns the path of its link. */
async function share(
  fields: readonly (readonly [string, string])[] = september,
  path = `/codes/${code.id}/share`,
): Promise<string> {
  // Their ids are in the order of their times.
  clock.advance(1);
  const answer = await post(path, fields);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  const url = /value="([^"]*\/shared\/[0-9A-Za-z]{32})"/.exec(page)?.[1] ?? "";
  expect(url.startsWith(`${origin}/shared/`)).toBe(true);
  return new URL(url).pathname;
}

/** Opens a link without any session. */
async function read(path: string): Promise<string> {
  const answer = await service.fetch(path);
  expect(answer.status).toBe(200);
  return answer.text();
}

const expectGone = async (path: string) => {
  const answer = await service.fetch(path);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
  expect(await answer.text()).toContain("This report isn&#39;t available");
};

const endingOf = async (path = `/codes/${code.id}/share`) => {
  const page = await (
    await service.fetch(`/dashboard${path}`, { headers: { cookie: session.cookie } })
  ).text();
  return /action="\/dashboard(\/shared\/[^"]+\/revoke)"/.exec(page)?.[1] ?? "";
};

describe("a shared report", () => {
  it("can be of a tag", async () => {
    const path = await share(september, "/share?tag=fair+%26+co");
    const page = await read(path);
    expect(page).toContain("Codes with the tag fair &amp; co");
    expect(page).toMatch(/<dt>Scans<\/dt><dd class="figure">5</);
    expect((await post("/share?tag=", september)).status).toBe(400);
  });

  it("ends at once when its link is revoked, and no other with it", async () => {
    const [first, second] = [await share(), await share()];
    const answer = await post(await endingOf(), []);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/codes/${code.id}/share`);
    await expectGone(second);
    await read(first);
    const tagged = await share(september, "/share?tag=fair+%26+co");
    const ended = await post(await endingOf("/share?tag=fair+%26+co"), []);
    expect(ended.headers.get("location")).toBe(`${origin}/dashboard/share?tag=fair+%26+co`);
    await expectGone(tagged);
  });

  it("ends after its last day in the reporting time zone", async () => {
    const own = new FakeClock(Date.UTC(2026, 9, 20, 12));
    const later = new Service({ now: own.now });
    const path = await share([...september, ["until", "2026-10-21"]]);
    own.advance(1.5 * day - 1);
    expect((await later.fetch(path)).status).toBe(200);
    own.advance(1);
    expect((await later.fetch(path)).status).toBe(404);
  });

  it.each([
    [[["until", "2026-10-19"]], "Expires can&#39;t be in the past."],
    [[["until", "soon"]], "Expires must be a date such as 2026-01-31."],
    [[["from", "2026-10-01"]], "First day can&#39;t be after to."],
  ] as const)("is not made with %j", async (fields, problem) => {
    const count = () =>
      env.DB.prepare("SELECT count(*) AS n FROM shared_reports WHERE workspace_id = ?")
        .bind(session.workspaceId)
        .first("n");
    const before = await count();
    const given = september.filter(([name]) => !fields.some(([other]) => other === name));
    const answer = await post(`/codes/${code.id}/share`, [...given, ...fields]);
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(problem);
    for (const [name, value] of fields) expect(page).toContain(`name="${name}" value="${value}"`);
    expect(await count()).toBe(before);
  });

  it("is gone while its code is deleted or suspended, and while its workspace is", async () => {
    const path = await share();
    await client.send("DELETE", `/qr/${code.id}`);
    await expectGone(path);
    await client.send("POST", `/qr/${code.id}/restore`);
    await read(path);
    const suspend = (table: string, id: string, value: string | null) =>
      env.DB.prepare(`UPDATE ${table} SET suspended = ? WHERE id = ?`).bind(value, id).run();
    const suspension = JSON.stringify({ reason: "test", legal: false, at: 0 });
    for (const [table, id] of [
      ["qr_codes", code.id],
      ["workspaces", session.workspaceId],
    ] as const) {
      await suspend(table, id, suspension);
      await expectGone(path);
      await suspend(table, id, null);
      await read(path);
    }
  });

  it("is no other link: unknown, altered, malformed", async () => {
    const path = await share();
    for (const wrong of [
      `/shared/${"a".repeat(32)}`,
      path.slice(0, -1),
      `${path}a`,
      `${path}/`,
      "/shared/",
      "/shared/%00",
      "/shared/' OR 1",
    ]) {
      await expectGone(wrong);
    }
  });

  it("is stored without its token", async () => {
    const token = (await share()).replace("/shared/", "");
    const { results } = await env.DB.prepare("SELECT * FROM shared_reports").all();
    expect(JSON.stringify(results)).not.toContain(token);
  });

  it("can be made, seen and ended by its own workspace alone, from its own pages", async () => {
    const path = await share();
    const ending = await endingOf();
    const stranger = await service.session();
    expect((await post(`/codes/${code.id}/share`, september, stranger)).status).toBe(404);
    expect((await post(ending, [], stranger)).status).toBe(404);
    const elsewhere = await service.fetch(`/dashboard${ending}`, {
      method: "POST",
      headers: { cookie: session.cookie, origin: "https://evil.example" },
    });
    expect(elsewhere.status).toBe(403);
    await read(path);
    const foreignTag = await post("/share?tag=fair+%26+co", september, stranger);
    const foreignPath = /\/shared\/[0-9A-Za-z]{32}/.exec(await foreignTag.text())?.[0] ?? "";
    expect(await read(foreignPath)).toMatch(/<dt>Scans<\/dt><dd class="figure">0</);
  });

  it("shows the ranges that its owner allows, and no others", async () => {
    const allowed = [
      ["allow", "7d"],
      ["allow", "30d"],
      ["first", "30d"],
    ] as const;
    const path = await share(allowed);
    const page = await read(path);
    expect(page).toMatch(/<dt>Scans<\/dt><dd class="figure">2</);
    expect(page).toContain("21 Sept – 20 Oct 2026");
    expect(page).toContain(`href="${path}?range=7d"`);
    expect(await read(`${path}?range=7d`)).toContain("14–20 Oct 2026");
    for (const other of ["90d", "12m", "custom", "unknown"]) {
      expect(await read(`${path}?range=${other}&from=2026-09-01&to=2026-09-30`)).toContain(
        "21 Sept – 20 Oct 2026",
      );
    }
    const none = await post(`/codes/${code.id}/share`, [["from", "2026-09-01"]]);
    expect(none.status).toBe(400);
    expect(await none.text()).toContain("Ranges must have at least one choice.");
  });

  it("names the workspace, and has the code's image and short link", async () => {
    const path = await share();
    const page = await read(path);
    expect(page).toContain('<span dir="auto">Test</span>');
    expect(page).not.toMatch(/\/logo"|shared-head tint/);
    await expectGone(`${path}/logo`);
    expect(page).toContain(`src="${code.scanUrl}.svg?margin=2"`);
    expect(page).toContain(`<p class="address">${code.scanUrl.replace(/^https?:\/\//, "")}</p>`);
  });

  it("has the logo and the colour of its workspace's brand, as long as its link works", async () => {
    const drawn = svg('<circle cx="50" cy="50" r="40" fill="#0f766e"/>');
    const logo = await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", {
      name: "Mark",
      logo: dataUri(drawn),
    });
    await session.send("PATCH", "/developer/workspace", { logoId: logo.id });
    await session.send("PATCH", "/developer/brand", { colors: [{ hex: "#0f766e", name: "Teal" }] });
    const path = await share();
    const page = await read(path);
    expect(page).toContain(`<img src="${path}/logo"`);
    expect(page).toMatch(/class="shared-head tint tint-\d+ tint-by-\d"/);
    const file = await service.fetch(`${path}/logo`);
    expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
      200,
      "image/svg+xml",
      "no-store",
    ]);
    expect(file.headers.get("content-security-policy")).toContain("default-src 'none'");
    await post(await endingOf(), []);
    await expectGone(`${path}/logo`);
  });

  it("has a name for those who share it, and the day on which a person last opened it, one write a day", async () => {
    const path = await share([...september, ["name", " The <baker> "]]);
    const listed = async () =>
      (
        await (
          await service.fetch(`/dashboard/codes/${code.id}/share`, { headers: { cookie: session.cookie } })
        ).text()
      ).match(/>The &lt;baker&gt;<.*?<\/li>/s)?.[0];
    const long = await post(`/codes/${code.id}/share`, [
      ...september,
      ["name", "n".repeat(limits.sharedReportName + 1)],
    ]);
    expect([long.status, await long.text()]).toEqual([
      400,
      expect.stringContaining("Name can have at most 100"),
    ]);
    const own = new FakeClock(clock.now());
    let [writes, refused] = [0, true];
    const counted = new Service({
      now: own.now,
      db: wrapDatabase(env.DB, (work, sql = "") => {
        if (!/opened_on" = \?/.test(sql)) return work();
        writes += 1;
        return refused ? Promise.reject(new Error("It writes nothing today.")) : work();
      }),
    });
    const open = async (agent?: string) => {
      const answer = await counted.fetch(
        path,
        agent === undefined ? {} : { headers: { "user-agent": agent } },
      );
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining("baker")]);
      return writes;
    };
    expect([await open("Slackbot-LinkExpanding 1.0"), await open()]).toEqual([0, 1]);
    expect(await listed()).toContain("No opening noted yet");
    refused = false;
    expect([await open(), await open()]).toEqual([2, 2]);
    expect(await listed()).toContain("Last opened 20 Oct 2026");
    own.advance(day);
    expect([await open(), await open()]).toEqual([3, 3]);
    expect(await listed()).toContain("Last opened 21 Oct 2026");
  });

  it("can be of a folder or of the workspace", async () => {
    const folder = (await (await client.send("POST", "/folders", { name: "Fairs <i>" })).json()) as {
      id: string;
    };
    await client.send("PATCH", `/qr/${code.id}`, { folderId: folder.id });
    const own = await share(september, `/share?folder=${folder.id}`);
    expect(await read(own)).toContain("<h1>Codes in the folder Fairs &lt;i&gt;</h1>");
    expect(await read(own)).toMatch(/<dt>Scans<\/dt><dd class="figure">5</);
    const whole = await share(september, "/share");
    expect(await read(whole)).toContain("<h1>All codes of Test</h1>");
    expect(await read(whole)).toMatch(/<dt>Scans<\/dt><dd class="figure">5</);
    const stranger = await service.session();
    expect((await post(`/share?folder=${folder.id}`, september, stranger)).status).toBe(404);
    const ended = await post(await endingOf(`/share?folder=${folder.id}`), []);
    expect(ended.headers.get("location")).toBe(`${origin}/dashboard/share?folder=${folder.id}`);
    await expectGone(own);
    const again = await share(september, `/share?folder=${folder.id}`);
    await client.send("DELETE", `/folders/${folder.id}`);
    await expectGone(again);
    await read(whole);
  });

  it("gets another link when the first is lost, which then stops working", async () => {
    const path = await share();
    const replacing = (await endingOf()).replace("/revoke", "/replace");
    const stranger = await service.session();
    expect((await post(replacing, [], stranger)).status).toBe(404);
    await read(path);
    const answer = await post(replacing, []);
    expect(answer.status).toBe(200);
    const replaced = /\/shared\/[0-9A-Za-z]{32}/.exec(await answer.text())?.[0] ?? "";
    expect(replaced).not.toBe(path);
    await expectGone(path);
    expect(await read(replaced)).toMatch(/<dt>Scans<\/dt><dd class="figure">5</);
    const { results } = await env.DB.prepare("SELECT * FROM shared_reports").all();
    expect(JSON.stringify(results)).not.toContain(replaced.replace("/shared/", ""));
  });

  it("is read by anyone with its link, for its own days and dimensions alone", async () => {
    // Begun anew, as by the tests that follow, because it changes what the others count.
    await begin();
    const path = await share([...september, ["dimension", "country"]]);
    const answer = await service.fetch(path);
    const page = await answer.text();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect(page).toContain("<h1>Poster &lt;b&gt;</h1>");
    expect(page).toContain("1–30 Sept 2026");
    expect(page).toMatch(/<dt>Scans<\/dt><dd class="figure">5</);
    expect(page).toContain("Germany");
    expect(page).not.toMatch(/Köln|Browser|href="\/dashboard"|example\.com/);
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\/(?!localhost)/);
    expect(page).not.toContain(session.workspaceId);
    await scan(Date.UTC(2026, 8, 11), 1);
    await scan(Date.UTC(2026, 9, 11), 1);
    expect(await read(path)).toMatch(/<dt>Scans<\/dt><dd class="figure">6</);
  });

  it("has a picture for link previews as long as its link works", async () => {
    await begin();
    const path = await share([...september, ["until", "2026-10-31"]]);
    const page = await read(path);
    expect(page).toContain(`<meta property="og:image" content="${origin}${path}/og.png"/>`);
    const picture = await service.fetch(`${path}/og.png`);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "cache-control": "private, no-cache",
      "x-robots-tag": "noindex, nofollow",
    });
    const tag = picture.headers.get("etag") ?? "";
    expect(await pictureSize(picture)).toEqual([1200, 630]);
    // Scans change nothing about it.
    await scan(Date.UTC(2026, 8, 11), 1);
    const same = { headers: { "if-none-match": tag } };
    expect((await service.fetch(`${path}/og.png`, same)).status).toBe(304);
    const without = new Service({ now: clock.now, images: undefined });
    expect((await without.fetch(`${path}/og.png`)).status).toBe(503);
    expect(await (await without.fetch(path)).text()).not.toContain("og:image");
    const later = new Service({ now: () => Date.UTC(2026, 10, 2) });
    expect((await later.fetch(`${path}/og.png`, same)).status).toBe(404);
    expect((await service.fetch(`/shared/${"a".repeat(32)}/og.png`)).status).toBe(404);
  });

  it("shows no destination, even if its code has no name", async () => {
    await begin();
    await client.send("PATCH", `/qr/${code.id}`, { name: null });
    const page = await read(await share());
    expect(page).toContain(`<h1>${code.scanUrl.replace(/^https?:\/\//, "")}</h1>`);
    expect(page).not.toContain("example.com");
  });

  it("has a bound on their number", async () => {
    await begin();
    await share();
    await env.DB.prepare(
      `INSERT INTO shared_reports (id, workspace_id, digest, qr_id, tag, query, created_at, expires_at)
      SELECT s.id || n.value, s.workspace_id, s.digest || n.value, s.qr_id, s.tag, s.query, s.created_at, NULL
      FROM shared_reports s, json_each(?2) n WHERE s.workspace_id = ?1`,
    )
      .bind(
        session.workspaceId,
        JSON.stringify(Array.from({ length: limits.sharedReports - 1 }, (_, n) => n)),
      )
      .run();
    const answer = await post(`/codes/${code.id}/share`, september);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`at most ${limits.sharedReports} shared reports`);
  });
});

it("a shared report ends when its workspace is deleted, and is back when that is cancelled", async () => {
  await begin();
  const path = await share();
  expect((await service.fetch(path)).status).toBe(200);
  await session.send("POST", "/developer/workspace/deletion", { name: "Test", codes: "freeze" });
  expect((await service.fetch(path)).status).toBe(404);
  await session.send("DELETE", "/developer/workspace/deletion");
  expect((await service.fetch(path)).status).toBe(200);
});

it("is opened so often a minute by a network, of any link", async () => {
  const counted: string[] = [];
  const limited = new Service({
    now: clock.now,
    drawingLimit: { limit: async ({ key }) => ({ success: counted.push(key) <= 1 }) },
  });
  const path = await share();
  const ask = () => limited.fetch(path, { headers: { "cf-connecting-ip": "192.0.2.9" } });
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await refused.text()).toContain("Too many requests");
  expect(counted).toEqual(Array(2).fill("report 192.0.2.9"));
});
