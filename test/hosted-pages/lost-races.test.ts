import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, type PageMaker, pageMaker } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

/** A page that another isolate gives an introduction so many times, each right before a change of it is stored. */
async function racing(races: number): Promise<{ maker: PageMaker; page: Page; lost: () => number }> {
  const raced: string[] = [];
  let lost = 0;
  const db = wrapDatabase(env.DB, async (work, sql) => {
    const [id] = raced;
    // A change is stored with its entry in the history, in a batch.
    if (id !== undefined && sql === undefined && lost < races) {
      lost += 1;
      await env.DB.prepare(
        "UPDATE pages SET version = version + 1, content = json_set(content, '$.intro', ?2) WHERE id = ?1",
      )
        .bind(id, `Race ${lost}`)
        .run();
    }
    return work();
  });
  const maker = await pageMaker(new Service({ db, pause: () => Promise.resolve() }));
  const page = await makePage(maker, { title: "Old" });
  raced.push(page.id);
  return { maker, page, lost: () => lost };
}

it("a change of a page that another isolate overtakes is made again of what that one has left", async () => {
  const { maker, page } = await racing(3);
  const path = `/developer/pages/${page.id}`;
  const changed = await maker.session.expect(200, Page, "PATCH", path, { title: "New" });
  expect(changed).toMatchObject({ title: "New", intro: "Race 3" });
  expect(await maker.session.expect(200, Page, "GET", path)).toEqual(changed);
});

it.each(["PATCH", "DELETE"] as const)(
  "a %s of a page that is overtaken eight times is 503 with retry-after, and stores nothing",
  async (method) => {
    const { maker, page, lost } = await racing(limits.changeAttempts.count);
    const path = `/developer/pages/${page.id}`;
    const refused = await maker.session.send(method, path, method === "PATCH" ? { title: "New" } : undefined);
    await expectError(refused, 503, "internal");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(lost()).toBe(limits.changeAttempts.count);
    expect((await maker.session.expect(200, Page, "GET", path)).title).toBe("Old");
  },
);

it("a change that is refused although nobody overtook it is a fault of the service, which is logged", async () => {
  const maker = await pageMaker(new Service({ pause: () => Promise.resolve() }));
  const page = await makePage(maker, { title: "Old" });
  await env.DB.prepare(
    "CREATE TRIGGER refusing BEFORE UPDATE ON pages WHEN new.content->>'title' = 'New' BEGIN SELECT RAISE(IGNORE); END",
  ).run();
  const error = vi.spyOn(console, "error");
  try {
    const path = `/developer/pages/${page.id}`;
    await expectError(await maker.session.send("PATCH", path, { title: "New" }), 500, "internal");
    expect(error.mock.calls.flat().join("\n")).toContain('"message":"change refused","resource":"Page"');
  } finally {
    await env.DB.prepare("DROP TRIGGER refusing").run();
    error.mockRestore();
  }
});
