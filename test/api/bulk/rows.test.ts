import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness, goodItems, item } from "../../support/bulk.ts";
import { encoded } from "../../support/images/encoded.ts";
import type { Client } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;

beforeAll(async () => {
  client = await harness.service.workspace();
});

describe("rows of a spreadsheet", () => {
  it("are read with a BOM, CRLF, quotes, umlauts and emoji", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Sheet" });
    const job = await harness.run(
      client,
      await harness.csv(
        client,
        `\ufeffName,URL,Tags,folderId,shape,dotsColor\r\n` +
          `"Käse, ""groß"" und 🍕",example.com/1,rot|grün,${folder.id},circle,#123\r\n` +
          `Plain,https://example.com/2,,,,\r\n\r\n`,
      ),
    );
    expect(job).toMatchObject({ status: "completed", totalItems: 2, successCount: 2 });
    const qr = await client.expect(200, Qr, "GET", `/qr/${job.items[0]?.createdQrId}`);
    expect(qr).toMatchObject({ name: 'Käse, "groß" und 🍕', tags: ["rot", "grün"], folderId: folder.id });
  });

  it("may have cells separated by semicolons or tabs", async () => {
    expect(await harness.run(client, await harness.csv(client, "name;url\nA;example.com\n"))).toMatchObject({
      successCount: 1,
    });
    expect(await harness.run(client, await harness.csv(client, "name\turl\nA\texample.com\n"))).toMatchObject(
      {
        successCount: 1,
      },
    );
  });

  it("are of the encoding of their byte order mark, or of the one that is stated", async () => {
    for (const { name, charset, file } of encoded("name;url\nMenü – 5 €;a.example\n")) {
      const headers = { "content-type": `text/csv; charset=${charset}` };
      const { items } = await harness.run(client, await harness.csv(client, file, headers));
      const qr = await client.expect(200, Qr, "GET", `/qr/${items[0]?.createdQrId}`);
      expect([name, qr.name]).toEqual([name, "Menü – 5 €"]);
    }
    const unknown = await harness.csv(client, "url\na.example\n", {
      "content-type": "text/csv; charset=morse",
    });
    expect([unknown.status, await unknown.json()]).toEqual([
      400,
      { code: "invalid_input", error: "body has an unknown encoding, morse. Save it as “CSV UTF-8”." },
    ]);
  });

  it("may follow a line with their separator, and columns without a name and text are no matter", async () => {
    const csv = "sep=|\r\n|Name||url|||\r\n|A, B|  |a.example||\r\n||||||\r\n|C||c.example\r\n";
    const { items, totalItems } = await harness.run(client, await harness.csv(client, csv));
    expect([totalItems, items.map(({ status }) => status)]).toEqual([2, ["succeeded", "succeeded"]]);
    const qr = await client.expect(200, Qr, "GET", `/qr/${items[0]?.createdQrId}`);
    expect(qr).toMatchObject({ name: "A, B", data: { url: "https://a.example" } });
  });

  it("fail individually, with an error that names the column and the problem", async () => {
    const other = await harness.service.workspace();
    const foreign = await other.expect(201, Folder, "POST", "/folders", { name: "Theirs" });
    const rows: [string, RegExp | null][] = [
      ["A,example.com,", null],
      ["B,,", /^url is empty. Enter an address such as/],
      ["C,javascript:alert(1),", /^url must be an http or https address/],
      [`D,example.com,${foreign.id}`, /^folderId isn't a folder of this workspace/],
      ["E,example.com,nonsense", /^folderId must be the id of a folder/],
      ["F,example.com", /^The row has 2 cells and the header 3/],
      [`${"x".repeat(201)},example.com,`, /^name can have at most 200 characters/],
      ["G,http://localhost:8787/x,", /^url can't lead back to this service/],
      ["H,example.org,", null],
    ];
    const job = await harness.run(
      client,
      await harness.csv(client, `name,url,folderId\n${rows.map(([row]) => row).join("\n")}\n`),
    );
    expect(job).toMatchObject({ status: "completed", totalItems: 9, successCount: 2, failureCount: 7 });
    for (const [i, [row, error]] of rows.entries()) {
      const outcome = job.items[i];
      expect([row, outcome?.status]).toEqual([row, error === null ? "succeeded" : "failed"]);
      const line = `line ${i + 2}: `;
      if (error !== null) expect(outcome?.error?.replace(line, "")).toMatch(error);
      expect(outcome?.error?.startsWith(line)).toBe(error === null ? undefined : true);
    }
  });

  it("fail with the line of the file in which they begin, also once they were accepted", async () => {
    const own = await harness.service.workspace("pro");
    const hash = `line-${own.workspaceId.slice(-12)}`;
    const csv = `sep=;\nurl;name;hash\n\na.example;"of\ntwo lines";\nnope;;\n;;\nb.example;;${hash}\nc.example;\n`;
    const { jobId } = await harness.accepted(await harness.csv(own, csv));
    await own.createQr({ hash });
    await harness.drain();
    const errors = [
      "line 4: name can't contain line breaks or control characters.",
      expect.stringMatching(/^line 6: url /),
      "line 8: hash is taken. Choose another.",
      expect.stringMatching(/^line 9: The row has 2 cells/),
    ];
    const { items } = await harness.read(own, jobId);
    expect(items.map(({ error }) => error)).toEqual(errors);
    expect(items.map(({ line }) => line)).toEqual([4, 6, 8, 9]);
    const download = await (await own.send("GET", `/qr/bulk/${jobId}/download`)).text();
    expect(download).toContain(",line 8: hash is taken. Choose another.\r\n");
  });

  it("of JSON fail individually too", async () => {
    const job = await harness.run(
      client,
      await harness.json(client, [
        item(1),
        null,
        7,
        { ...item(2), name: "x".repeat(201) },
        { qrType: "url" },
        { ...item(3), qrType: "vcard" },
        { ...item(4), data: { type: "url", url: "javascript:alert(1)" } },
      ]),
    );
    expect(job).toMatchObject({ successCount: 1, failureCount: 6 });
    expect(job.items[3]?.error).toMatch(/^name /);
    expect(job.items[4]?.error).toMatch(/^data/);
    expect(job.items[6]?.error).toMatch(/^data\.url must be an http/);
  });

  it("complete the job even if all of them fail", async () => {
    const job = await harness.run(client, await harness.csv(client, "url\nnope\n"));
    expect(job).toMatchObject({ status: "completed", successCount: 0, failureCount: 1 });
  });

  it("may each be as large as a code can be", async () => {
    const advanced = { note: "ü".repeat(4000) };
    const large = Array.from({ length: 3 }, (_, i) => ({ ...item(i), advanced, colorConfig: advanced }));
    const job = await harness.run(client, await harness.json(client, large));
    expect(job).toMatchObject({ status: "completed", successCount: 3 });
  });
});

describe("a request that is refused", () => {
  const utf8 = new TextEncoder();
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["nothing at all", "", /is empty/],
    ["only a header", "name,url\n", /no rows/],
    ["no header", "Menu,https://example.com\n", /unknown column Menu/],
    ["an unknown column", "name,url,colour\nA,example.com,red\n", /unknown column colour/],
    ["a column twice", "url,name,URL\na.example,A,b.example\n", /url twice/],
    ["no url column", "name\nA\n", /has no column url/],
    ["an unclosed quote", 'name,url\n"A,example.com\nB,example.com\n', /quote/],
    ["half a character of UTF-16", new Uint8Array([0xff, 0xfe, 0x75, 0x00, 0x72]), /isn.t valid UTF-16LE/],
    ["text in a column without a name", ",url\n1,a.example\n", /text in column 1 of line 2/],
    ["101 columns", `url\na.example${",x".repeat(100)}\n`, /line 2 has 101\./],
    ["101 columns of a header", `url${",".repeat(100)}x\na.example\n`, /line 1 has 101\./],
    [
      "UTF-16 without a mark",
      new Uint8Array([..."url\na.example\n"].flatMap((char) => [char.charCodeAt(0), 0])),
      /NUL/,
    ],
    ["Latin-1", new Uint8Array([...utf8.encode("url,name\na.example,K"), 0xe4, 0x0a]), /UTF-8/],
    ["NUL bytes", "url\na.example/\0\n", /NUL/],
    ["10 001 rows", `url\n${"a.example\n".repeat(10_001)}`, /10000/],
  ];
  it.each(cases)("%s", async (_, text, error) => {
    const before = await env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs").first("n");
    const response = await harness.csv(client, text);
    expect(await response.json()).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(error),
    });
    expect(response.status).toBe(400);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs").first("n")).toBe(before);
    expect(harness.queued).toEqual([]);
  });

  it("invalid JSON items", async () => {
    for (const items of [undefined, null, {}, "x", [], Array.from({ length: 10_001 }, () => 0)]) {
      const response = await harness.json(client, items);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("items") });
    }
    const broken = await client.send("POST", "/qr/bulk", '{"items": [');
    expect([broken.status, await broken.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_input" }),
    ]);
  });

  it("another content type, and a body that is too large", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]) {
      const response = await client.send("POST", "/qr/bulk", "url\na.example\n", { "content-type": type });
      expect([type, response.status]).toEqual([type, 415]);
    }
    expect((await harness.csv(client, `url\n${`${"a".repeat(3000)}.example\n`.repeat(6000)}`)).status).toBe(
      413,
    );
  });

  it("more rows than the plan's batch size", async () => {
    const own = await harness.service.workspace("pro");
    const response = await harness.json(own, goodItems(1001));
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: "plan_limit",
      error: "Your Pro plan allows 1000 rows a bulk job. Split the file, or upgrade.",
    });
  });
});
