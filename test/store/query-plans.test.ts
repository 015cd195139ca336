import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { fillRoutes } from "../../src/domain/bulk/fill.ts";
import { runBulk } from "../../src/domain/bulk/run.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { goodItems } from "../support/bulk.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { origin, Service } from "../support/service.ts";

/** A D1 binding that records every statement it prepares. */
function recording(statements: Set<string>): D1Database {
  const prepare = (sql: string) => {
    statements.add(sql);
    return env.DB.prepare(sql);
  };
  return {
    prepare,
    batch: env.DB.batch.bind(env.DB),
    exec: env.DB.exec.bind(env.DB),
    withSession: () => ({ prepare }),
  } as unknown as D1Database;
}

/**
 * Sources that a statement may read as a whole: SQLite's internal tables, JSON parameters, constant rows, the list of
 * blocked hosts, whose length is bounded, the workspaces with events to forward and the tags of a page, both found one by
 * one in an index, and the pages that a search found, at most as many as it shows.
 */
const harmless =
  /SCAN (CONSTANT ROW|\w+ VIRTUAL TABLE|stored|p|new|oldest|waiting|listed|found|i|s|blocked_hosts|\(subquery-\d+\))/;

it("no function of the domain scans a whole table", async () => {
  const statements = new Set<string>();
  const service = new Service({ db: recording(statements) });
  const client = await service.workspace("pro");
  const folder = (await (await client.send("POST", "/folders", { name: "F" })).json()) as { id: string };
  const qr = await client.createQr({ folderId: folder.id, tags: ["t"] });
  await client.send(
    "POST",
    "/qr",
    { qrType: "url", data: { type: "url", url: "a.example" } },
    { "idempotency-key": "1" },
  );
  await client.send("PATCH", `/qr/${qr.id}`, { name: "N", tags: ["u"], status: "paused", folderId: null });
  await client.send("GET", "/folders");
  for (const filter of ["", "&tag=u", `&folderId=${folder.id}`]) {
    await client.send("GET", `/analytics?dimensions=code${filter}`);
  }
  await client.send("PATCH", `/folders/${folder.id}`, { name: "G" });
  await client.send("DELETE", `/folders/${folder.id}`);
  for (const _ of ["restored", "is there already"])
    await client.send("POST", `/folders/${folder.id}/restore`);
  await client.send("DELETE", `/qr/${qr.id}`);
  await client.send("POST", `/qr/${qr.id}/restore`);
  await new Service({ db: recording(statements) }).scan("00000000");
  const job = (await (await client.send("POST", "/qr/bulk", { items: goodItems(3) })).json()) as {
    jobId: string;
  };
  const ids = { workspaceId: client.workspaceId, jobId: job.jobId };
  await runBulk(service.deps, { task: "run", ...ids }, () => {});
  await fillRoutes(service.deps, { task: "fill", from: 0, rows: 400, ...ids });
  await client.send("GET", `/qr/bulk/${job.jobId}`);
  const print = { filter: {}, format: "L7160" };
  const printed = (await (await client.send("POST", "/qr/labels/jobs", print)).json()) as { jobId: string };
  await service.consume("prints", [{ body: { workspaceId: client.workspaceId } }]);
  for (const method of ["GET", "DELETE"]) await client.send(method, `/qr/print-jobs/${printed.jobId}`);
  const everyChange = { addTags: ["v"], folderId: null, colorConfig: { dotsColor: "navy" }, shape: "circle" };
  const replace = { host: { from: "example.com", to: "b.example" } };
  const change = { ...everyChange, replace };
  for (const body of [
    { ids: [qr.id], change },
    { filter: { tag: "u" }, change },
    { filter: {}, change },
    { ids: [qr.id], change: { delete: true } },
  ]) {
    await client.send("POST", "/qr/bulk-update", { ...body, dryRun: true });
    const response = await client.send("POST", "/qr/bulk-update", body);
    const update = { ...ids, ...((await response.json()) as { jobId: string }) };
    await runBulk(service.deps, { task: "run", ...update }, () => {});
    await fillRoutes(service.deps, { task: "fill", from: 0, rows: 200, ...update });
  }
  await client.send("POST", `/qr/${qr.id}/restore`);
  const session = await service.sessionIn(client.workspaceId);
  const made = async (path: string, body: object) =>
    (await (await session.send("POST", path, body)).json()) as { id: string };
  const page = await made("/developer/pages", { title: "P" });
  const template = await made("/developer/templates", { name: "T", shape: "circle" });
  const data = { type: "servicepage", pageId: page.id };
  await client.send("POST", "/qr", { qrType: "servicepage", data, templateId: template.id });
  for (const path of [`/developer/pages/${page.id}`, `/developer/templates/${template.id}`]) {
    await session.send("PATCH", path, { title: "Q", name: "U" });
    await session.send("GET", path.replace(/\/[^/]*$/, ""));
    await session.send("DELETE", path);
    for (const _ of ["restored", "is there already"]) await session.send("POST", `${path}/restore`);
  }
  await new Service({ db: recording(statements) }).fetch(`/pages/${page.id}`);
  await session.send("DELETE", `/developer/keys/${client.keyId}`);
  const sharing = `/dashboard/codes/${qr.id}/share`;
  const headers = { cookie: session.cookie, origin };
  for (const path of [
    "",
    "jobs",
    "jobs/under-way",
    `jobs/${job.jobId}`,
    `jobs/${job.jobId}?show=failed`,
    `jobs/${job.jobId}/failed.csv`,
    `jobs/${job.jobId}/results.csv`,
    "codes/bulk?q=tag:u",
    "codes?order=name",
    "codes?order=name&q=tag:u",
    "codes/most-scanned",
    "go/results?q=n",
    "folders",
    "tags",
    "settings/brand",
    "templates/new",
  ]) {
    await service.fetch(`/dashboard/${path}`, { headers });
  }
  await session.send("PATCH", "/developer/brand", { colors: [{ hex: "#14532d" }] });
  const logo = await made("/developer/brand/logos", { name: "L", logo: dataUri(svg("<g/>")) });
  await session.send("PATCH", `/developer/brand/logos/${logo.id}`, { name: "M" });
  await session.send("DELETE", `/developer/brand/logos/${logo.id}`);
  const shared = await service.fetch(sharing, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: "allow=30d",
  });
  await service.fetch(/\/shared\/[0-9A-Za-z]{32}/.exec(await shared.text())?.[0] ?? "");
  const links = await (await service.fetch(sharing, { headers })).text();
  for (const [, change = ""] of links.matchAll(/"(\/dashboard\/shared\/[^"]+)"/g)) {
    await service.fetch(change, { method: "POST", headers });
  }
  for (const path of ["/dashboard/sign-out-everywhere", "/dashboard/sign-out"]) {
    await service.fetch(path, { method: "POST", headers: { cookie: session.cookie, origin } });
  }
  await service.consume("bulk-dead", [{ body: {} }]);
  const { items } = await list(service, "/operator/dead-letters?queue=bulk");
  await service.operator.send("POST", `/operator/dead-letters/${items[0]?.id}/retry`);
  await service.operator.send("POST", "/operator/dead-letters/retry", { queue: "bulk" });
  await list(service, `/operator/workspaces?q=x&id=${client.workspaceId}`);
  await service.operator.send("GET", `/operator/workspaces/${client.workspaceId}`);
  const blocked = { host: "blocked.example", reason: "A test" };
  await service.operator.send("POST", "/operator/blocked-hosts", blocked);
  const hosts = await list(service, "/operator/blocked-hosts");
  await service.operator.send("DELETE", `/operator/blocked-hosts/${hosts.items[0]?.id}`);
  await service.fetch("/report", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `code=${qr.hash}&reason=spam`,
  });
  const reports = await list(service, `/operator/reports?status=open&workspaceId=${client.workspaceId}`);
  await service.operator.send("POST", `/operator/reports/${reports.items[0]?.id}/decide`, {
    decision: "dismissed",
  });
  for (const query of ["", "?status=open", `?workspaceId=${client.workspaceId}`]) {
    await list(service, `/operator/reports${query}`);
  }
  const subjects = [`qr/${qr.id}`, `qr/${qr.hash}`, `pages/${page.id}`, `workspaces/${client.workspaceId}`];
  for (const subject of subjects) {
    await service.operator.send("PUT", `/operator/${subject}/suspension`, { reason: "A test" });
  }
  await client.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "a.example" } });
  await sweep(service.deps);

  expect(statements.size).toBeGreaterThan(40);
  expect([...statements].filter((sql) => /"?shared_reports"?/.test(sql))).toHaveLength(9);
  const explained = await env.DB.batch<{ detail: string }>(
    [...statements].map((sql) => env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parametersOf(sql))),
  );
  for (const [i, sql] of [...statements].entries()) {
    const results = explained[i]?.results ?? expect.fail("not explained");
    const whole = results
      .map((row) => row.detail)
      .filter((step) => /SCAN/.test(step) && !harmless.test(step));
    expect({ sql, whole }).toEqual({ sql, whole: [] });
    // Statements of bulk updates find each item by its row, and each code by its id.
    if (!/\bs\.value/.test(sql)) continue;
    for (const { detail } of results.filter(
      (step) => / (i|c)\b/.test(step.detail) && !/^SCAN s/.test(step.detail),
    )) {
      expect({ sql, detail }).toEqual({
        sql,
        detail: expect.stringMatching(
          /^SEARCH (i (EXISTS )?USING PRIMARY KEY|c USING INTEGER PRIMARY KEY|c USING .*INDEX .*\((workspace_id=\? AND )?id=\?\))/,
        ),
      });
    }
  }
});

/** A list of the operator's. */
async function list(service: Service, path: string): Promise<{ items: { id: string }[] }> {
  return (await service.operator.send("GET", path)).json();
}

/** As many parameters as the statement has: a plan does not depend on their values. */
function parametersOf(sql: string): string[] {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const count = numbered.length > 0 ? Math.max(...numbered) : [...sql.matchAll(/\?/g)].length;
  return Array.from({ length: count }, () => "[]");
}
