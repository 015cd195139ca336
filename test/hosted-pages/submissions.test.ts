import { beforeAll, describe, expect, it } from "vitest";
import { type Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import { expectError } from "../support/endpoints.ts";
import { fillIn, makePage, type PageMaker, pageMaker, sendForm } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

const service = new Service();
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const fields = [
  { type: "text", name: "name", label: "Your name", required: true },
  { type: "text", name: "message", label: "Message", multiline: true },
  { type: "checkbox", name: "news", label: "Send me news" },
  { type: "checkbox", name: "terms", label: "I agree", required: true },
];
const good = { name: "Ada", terms: "yes" };
const makeForm = () => makePage(maker, { form: { fields } });

const submissions = async (page: Page) =>
  (await maker.session.expect(200, SubmissionList, "GET", `/developer/pages/${page.id}/submissions`)).items;

describe("submissions", () => {
  it("are listed newest first with cursors, to their own workspace only", async () => {
    const page = await makeForm();
    for (const name of ["A", "B", "C"]) await fillIn(service, page, { ...good, name });
    const path = `/developer/pages/${page.id}/submissions`;
    const first = await maker.session.expect(200, SubmissionList, "GET", `${path}?limit=2`);
    const next = `${path}?limit=2&cursor=${first.nextCursor}`;
    const second = await maker.session.expect(200, SubmissionList, "GET", next);
    const names = [...first.items, ...second.items].map((submission) => submission.fields.name);
    expect([names, second.nextCursor]).toEqual([["C", "B", "A"], null]);
    const other = await makeForm();
    const foreign = `/developer/pages/${other.id}/submissions?cursor=${first.nextCursor}`;
    await expectError(await maker.session.send("GET", foreign), 400, "invalid_input");
    const stranger = await service.session();
    for (const each of [path, `${path}/export`]) {
      await expectError(await stranger.send("GET", each), 404, "not_found");
    }
    const one = `${path}/${first.items[0]?.id}`;
    await expectError(await stranger.send("DELETE", one), 404, "not_found");
    expect(await submissions(page)).toHaveLength(3);
  });

  it("are searched in all answers regardless of case, with cursors of their own, also in an export", async () => {
    const page = await makeForm();
    for (const [name, message] of [
      ["Ada", "I bring a KÄSEKUCHEN"],
      ["Grace", "nothing"],
      ["käsekuchen", ""],
      ["Straße", "%_"],
    ]) {
      await fillIn(service, page, { ...good, name: name ?? "", message: message ?? "" });
    }
    const path = `/developer/pages/${page.id}/submissions`;
    const find = async (query: string) => {
      const found = await maker.session.expect(200, SubmissionList, "GET", `${path}?${query}`);
      return { names: found.items.map(({ fields }) => fields.name), next: found.nextCursor };
    };
    const first = await find("limit=1&q=Kuchen");
    expect(first.names).toEqual(["käsekuchen"]);
    expect(await find(`limit=1&q=Kuchen&cursor=${first.next}`)).toEqual({ names: ["Ada"], next: null });
    expect((await find("q=STRASSE")).names).toEqual(["Straße"]);
    expect((await find("q=%25_")).names).toEqual(["Straße"]);
    expect((await find("q=true")).names).toEqual([]);
    expect((await find("q=")).names).toHaveLength(4);
    for (const other of [`?cursor=${first.next}`, `?q=other&cursor=${first.next}`, `?q=${"x".repeat(501)}`]) {
      await expectError(await maker.session.send("GET", `${path}${other}`), 400, "invalid_input");
    }
    const csv = await (await maker.session.send("GET", `${path}/export?q=kuchen`)).text();
    expect(
      csv
        .trim()
        .split("\r\n")
        .slice(1)
        .map((row) => row.split(",")[2]),
    ).toEqual(["Ada", "käsekuchen"]);
  });

  it("are exported oldest first, with a column for every current and former field, and with formulas escaped", async () => {
    const page = await makeForm();
    await fillIn(service, page, { ...good, name: "=1+1", message: 'a "quoted"\nline' });
    const renamed = {
      form: {
        fields: [...fields.slice(0, 1), ...fields.slice(2), { type: "text", name: "new", label: "New" }],
      },
    };
    await maker.session.send("PATCH", `/developer/pages/${page.id}`, renamed);
    await fillIn(service, page, { ...good, name: "B", new: "n" });
    const path = `/developer/pages/${page.id}/submissions/export`;
    const csv = await maker.session.send("GET", path);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="submissions.csv"');
    const [b, a] = await submissions(page);
    expect(await csv.text()).toBe(
      "id,submittedAt,name,news,terms,new,message\r\n" +
        `${a?.id},${a?.submittedAt},'=1+1,false,true,,"a ""quoted""\nline"\r\n` +
        `${b?.id},${b?.submittedAt},B,false,true,n,\r\n`,
    );
    const ndjson = await maker.session.send("GET", `${path}?format=ndjson`);
    expect(ndjson.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const lines = (await ndjson.text()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([a, b]);
    await expectError(await maker.session.send("GET", `${path}?format=xml`), 400, "invalid_input");
  });

  it("can be deleted one by one, and are kept when their page is deleted", async () => {
    const page = await makeForm();
    await fillIn(service, page, { ...good, name: "A" });
    await fillIn(service, page, { ...good, name: "B" });
    expect((await maker.session.send("DELETE", `/developer/pages/${page.id}`)).status).toBe(200);
    const [b] = await submissions(page);
    const path = `/developer/pages/${page.id}/submissions/${b?.id}`;
    const other = await makeForm();
    const elsewhere = await maker.session.send("DELETE", path.replace(page.id, other.id));
    await expectError(elsewhere, 404, "not_found");
    expect((await maker.session.send("DELETE", path)).status).toBe(200);
    await expectError(await maker.session.send("DELETE", path), 404, "not_found");
    expect((await submissions(page)).map((submission) => submission.fields.name)).toEqual(["A"]);
    expect((await sendForm(service, page, good)).status).toBe(404);
  });
});
