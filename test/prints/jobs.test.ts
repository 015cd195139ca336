import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { QrList } from "../../src/contract/resources/codes/qr.ts";
import { ArchiveOptions, type PrintJob, PrintOptions } from "../../src/contract/resources/images/prints.ts";
import { imagesInSlice, labelsInSlice, slice } from "../../src/domain/print/pace.ts";
import { goodItems } from "../support/bulk.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { readPdf } from "../support/images/pdf.ts";
import { inSlice, objectsOf, SlicedPrintHarness } from "../support/images/prints.ts";
import { sample } from "../support/runner/runs.ts";
import { type Client, origin, type SessionClient } from "../support/service.ts";
import { readZip } from "../support/zip.ts";

const harness = new SlicedPrintHarness();
const codes = inSlice + 1;

/** The addresses of a workspace's codes, newest first, as a job of all of them has them. */
async function addressesOf({ workspaceId }: Client): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT hash FROM qr_codes WHERE workspace_id = ? ORDER BY id DESC",
  )
    .bind(workspaceId)
    .all<{ hash: string }>();
  return results.map(({ hash }) => `${origin}/${hash}`);
}

const set = (job: PrintJob, assignment: string, ...values: unknown[]) =>
  env.DB.prepare(`UPDATE print_jobs SET ${assignment} WHERE id = ?`)
    .bind(...values, job.jobId)
    .run();

it("a slice has as many codes as fit its pixels, and whole sheets", () => {
  const images = (options: object) => imagesInSlice(slice, ArchiveOptions.parse({ filter: {}, ...options }));
  expect(images({ format: "svg", size: 4096 })).toBe(100);
  expect([images({ format: "png", size: 1024 }), images({ format: "png", size: 1025 })]).toEqual([100, 99]);
  expect(images({ format: "png", mm: 10 })).toBe(25);
  const labels = (copies: number, perSheet = 40) =>
    labelsInSlice(slice, perSheet, PrintOptions.parse({ filter: {}, format: "L7160", copies }));
  expect([labels(1), labels(300), labels(1, 101)]).toEqual([80, 2000, 101]);
});

describe("a job that draws images", () => {
  it("says how far it is, and has a file for every code of the workspace, which decodes to its address", async () => {
    const client = await harness.workspaceWith(codes);
    const addresses = await addressesOf(client);
    const job = await harness.start(client, "images", { filter: {}, format: "svg" });
    expect(job).toEqual({
      jobId: expect.any(String),
      kind: "images",
      status: "queued",
      totalItems: codes,
      successCount: 0,
      failureCount: 0,
      bytes: 0,
      createdAt: new Date(harness.clock.now()).toISOString(),
      completedAt: null,
      fileExpiresAt: null,
      error: null,
    });
    expect(await harness.job(client, job)).toEqual(job);
    await harness.printSlices();
    const underWay = await harness.job(client, job);
    expect(underWay).toMatchObject({ status: "processing", successCount: inSlice, completedAt: null });
    expect((await harness.file(client, job)).status).toBe(404);
    await harness.printAll();
    const done = await harness.job(client, job);
    expect(done).toMatchObject({ status: "completed", successCount: codes, failureCount: 0 });
    expect(Date.parse(done.fileExpiresAt ?? "") - Date.parse(done.completedAt ?? "")).toBe(86_400_000);

    const response = await harness.file(client, job);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="qr-codes-${job.createdAt.slice(0, 10)}.zip"`,
    );
    expect((await response.arrayBuffer()).byteLength).toBe(done.bytes);
    const { files, rows } = await harness.archive(client, job);
    expect(rows.map(([, scanUrl]) => scanUrl)).toEqual(addresses);
    expect(rows.map(([, , file]) => file)).toEqual([...files.keys()]);
    expect(new Set(rows.map(([, , , error]) => error))).toEqual(new Set([""]));
    for (const [, scanUrl, file = ""] of sample(rows, 5)) {
      const image = files.get(file) ?? new Uint8Array();
      expect(await readWithZxing(await rasterise("svg", image, 400))).toEqual([scanUrl]);
    }
  });

  it.each([
    ["png", { size: 256 }, "png"],
    ["png", { mm: 20, dpi: 600 }, "png"],
    ["pdf", { mm: 20, ink: "k100" }, "svg"],
  ] as const)("draws %s with %o", async (format, options, as) => {
    const client = await harness.workspaceWith(2);
    const job = await harness.start(client, "images", { filter: {}, format, ...options });
    await harness.printAll();
    const { files, rows } = await harness.archive(client, job);
    expect([...files.keys()]).toEqual([1, 0].map((number) => `item-${number}.${format}`));
    for (const [, scanUrl, file = ""] of sample(rows, 2)) {
      const bytes = files.get(file) ?? new Uint8Array();
      const image = format === "pdf" ? new TextEncoder().encode((await readPdf(bytes))[0]?.svg ?? "") : bytes;
      expect(await readWithZxing(await rasterise(as, Uint8Array.from(image), 480))).toEqual([scanUrl]);
    }
  });

  it("ends its table with each image's file, as a data merge wants it, in UTF-16 if asked for", async () => {
    const client = await harness.workspaceWith(codes);
    const job = await harness.start(client, "images", { filter: {}, encoding: "utf-16" });
    await harness.printSlices();
    const oldest = (await client.expect(200, QrList, "GET", "/qr")).items.at(-1);
    await client.send("DELETE", `/qr/${oldest?.id}`);
    await harness.printAll();
    const { files, rows } = await harness.archive(client, job);
    expect([files.size, rows.length]).toEqual([codes - 1, codes]);
    expect(rows.map(([, , , , image]) => image)).toEqual([...files.keys(), ""]);
    const zip = readZip(new Uint8Array(await (await harness.file(client, job)).arrayBuffer()));
    expect([...(zip.get("codes.csv") ?? [])].slice(0, 4)).toEqual([0xff, 0xfe, 0x6e, 0]);
  });

  it("has the table of 1.1.0 if that began it", async () => {
    const client = await harness.workspaceWith(codes);
    const job = await harness.start(client, "images", { filter: {} });
    await set(job, "options = json_remove(options, '$.encoding')");
    await harness.printAll();
    const zip = readZip(new Uint8Array(await (await harness.file(client, job)).arrayBuffer()));
    const lines = new TextDecoder().decode(zip.get("codes.csv")).trimEnd().split("\r\n");
    expect(lines[0]).toBe("name,scanUrl,file,error");
    expect(lines.slice(1).map((line) => line.split(",").length)).toEqual(Array(codes).fill(4));
  });

  it("draws the codes that a bulk job made", async () => {
    const client = await harness.workspaceWith(1);
    const { jobId } = await harness.run(client, await harness.json(client, goodItems(2)));
    const job = await harness.start(client, "images", { jobId });
    await harness.printAll();
    const { files } = await harness.archive(client, job);
    expect([...files.keys()]).toEqual(["item-0.svg", "item-1.svg"]);
  });

  it("names a code that was deleted meanwhile, or that can't be drawn, in its table, and has the others", async () => {
    const client = await harness.service.workspace();
    const made = [];
    for (const name of ["A", "B", "C"]) made.push(await client.createQr({ name }));
    const [first, second, third] = made.map(({ id }) => id);
    // From before contrast was checked.
    await env.DB.prepare("UPDATE qr_codes SET color_config = ? WHERE id = ?")
      .bind(JSON.stringify({ dotsColor: "#eeeeee" }), third)
      .run();
    const job = await harness.start(client, "images", { ids: [first, second, third], format: "png", mm: 20 });
    await client.send("DELETE", `/qr/${second}`);
    await harness.printAll();
    expect(await harness.job(client, job)).toMatchObject({ status: "completed", totalItems: 3 });
    const { rows } = await harness.archive(client, job);
    expect(rows.map(([name, , , error]) => [name, error])).toContainEqual(["B", "The code was deleted."]);
  });

  it("has names of its own for files that would have the same", async () => {
    const client = await harness.service.workspace();
    const one = await client.createQr({ name: "Table" });
    const two = await client.createQr({ name: "TABLE" });
    const job = await harness.start(client, "images", { ids: [one.id, two.id] });
    await harness.printAll();
    const { files } = await harness.archive(client, job);
    expect([...files.keys()]).toEqual(["table.svg", `table-${two.hash}.svg`]);
  });

  it("ends a file at 500 MiB, and names the codes that it has not", async () => {
    const client = await harness.workspaceWith(inSlice + 1);
    const job = await harness.start(client, "images", { filter: {} });
    await harness.printSlices();
    await set(job, "bytes = bytes + ?", limits.printJob.bytes);
    await harness.printAll();
    await set(job, "bytes = bytes - ?", limits.printJob.bytes);
    expect(await harness.job(client, job)).toMatchObject({
      status: "completed",
      successCount: inSlice,
      failureCount: 1,
    });
    const { rows } = await harness.archive(client, job);
    expect(rows.at(-1)?.[3]).toContain("at most 500 MiB");
  });
});

describe("a job that prints labels", () => {
  /** Sheets of two labels, of which a slice has two. */
  const size = {
    sheet: { label: { width: 30, height: 30 }, columns: 2, rows: 1, page: { width: 80, height: 40 } },
  };

  it("fills sheets across PDFs, and prints each code where its table says", async () => {
    const client = await harness.workspaceWith(inSlice);
    const addresses = await addressesOf(client);
    const job = await harness.start(client, "labels", { filter: {}, ...size, start: 2, captions: ["link"] });
    await harness.printAll();
    expect(await harness.job(client, job)).toMatchObject({ status: "completed", successCount: inSlice });
    const { files, rows } = await harness.archive(client, job);
    expect(rows.map(([, scanUrl]) => scanUrl)).toEqual(addresses);
    const printed: [file: string, page: number, addresses: string[]][] = [];
    for (const [name, pdf] of files) {
      for (const [number, page] of (await readPdf(pdf)).entries()) {
        const image = Uint8Array.from(new TextEncoder().encode(page.svg));
        printed.push([name, number, (await readWithZxing(await rasterise("svg", image, 640))).sort()]);
      }
    }
    const [first = "", ...others] = addresses;
    const [one, two] = ["labels-001.pdf", "labels-002.pdf"];
    expect(printed).toEqual([
      [one, 0, [first]],
      [one, 1, others.slice(0, 2).sort()],
      [two, 0, others.slice(2).sort()],
    ]);
    expect(rows.map(([, , file]) => file)).toEqual([one, one, one, two, two]);
  });

  it("continues with the copies of a code on the next sheet", async () => {
    const client = await harness.workspaceWith(6);
    const sheet = { ...size.sheet, rows: 2, page: { width: 80, height: 80 } };
    const job = await harness.start(client, "labels", { filter: {}, sheet, copies: 5, cutMarks: true });
    await harness.printAll();
    const { files } = await harness.archive(client, job);
    const pages = [];
    for (const pdf of files.values()) pages.push((await readPdf(pdf)).length);
    // Of the fifth code, four copies are on the first six sheets.
    expect(pages).toEqual([6, 2]);
    expect(await harness.job(client, job)).toMatchObject({ successCount: 6, failureCount: 0 });
  });

  it("names the codes on whose labels signs stand for characters that the font lacks", async () => {
    const client = await harness.service.workspace();
    const good = await client.createQr({ name: "Table" });
    const bad = await client.createQr({ name: "菜单" });
    const job = await harness.start(client, "labels", {
      ids: [bad.id, good.id],
      ...size,
      captions: ["name"],
    });
    await harness.printAll();
    expect(await harness.job(client, job)).toMatchObject({ successCount: 2, failureCount: 0 });
    const { rows } = await harness.archive(client, job);
    expect(rows.map(([, , file, error, note]) => [file, error, note])).toEqual([
      ["labels-001.pdf", "", "□ stands for “菜” (U+83DC), “单” (U+5355), which our font lacks."],
      ["labels-001.pdf", "", ""],
    ]);
  });

  it("is refused for a sheet that can't be, and for too many labels", async () => {
    const client = await harness.workspaceWith(1);
    const refusals: [body: object, error: RegExp][] = [
      [{ format: "L7160", start: 22 }, /^start must be at most 21/],
      [{ format: "L7160", copies: 501 }, /^copies/],
      [
        {
          sheet: { label: { width: 5, height: 5 }, columns: 30, rows: 30, page: { width: 200, height: 200 } },
        },
        /^sheet has 900 labels/,
      ],
      [{}, /^format or sheet is required/],
    ];
    for (const [body, error] of refusals) {
      const response = await client.send("POST", "/qr/labels/jobs", { filter: {}, ...body });
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        400,
        expect.stringMatching(error),
      ]);
    }
    expect(harness.prints).toEqual([]);
  });
});

describe("print jobs of a workspace", () => {
  it("take turns, and those of another workspace go on beside them", async () => {
    const client = await harness.workspaceWith(inSlice + 1);
    const other = await harness.workspaceWith(1);
    const [one, two] = [
      await harness.start(client, "images", { filter: {} }),
      await harness.start(client, "images", { filter: {} }),
    ];
    const beside = await harness.start(other, "images", { filter: {} });
    await harness.printSlices();
    await harness.printSlices();
    expect((await harness.job(other, beside)).status).toBe("completed");
    expect((await harness.job(client, one)).status).not.toBe("queued");
    expect((await harness.job(client, two)).status).toBe("queued");
    await harness.printAll();
    expect((await harness.job(client, one)).status).toBe("completed");
    expect((await harness.job(client, two)).status).toBe("completed");
  });

  it("are its own", async () => {
    const client = await harness.workspaceWith(1);
    const other = await harness.workspaceWith(1);
    const job = await harness.start(client, "images", { filter: {} });
    await harness.printAll();
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/file"],
      ["DELETE", ""],
    ] as const) {
      expect((await other.send(method, `/qr/print-jobs/${job.jobId}${path}`)).status).toBe(404);
    }
    expect((await harness.file(client, job)).status).toBe(200);
    const foreign = await other.send("POST", "/qr/images/jobs", { jobId: job.jobId });
    expect(foreign.status).toBe(404);
  });

  it("are ended by who started them, and by who may change codes", async () => {
    const client = await harness.workspaceWith(1);
    const { service } = harness;
    const reader = await service.client(client.workspaceId, ["qr:read"]);
    const viewer = await service.sessionIn(client.workspaceId, "viewer");
    const editor = await service.sessionIn(client.workspaceId, "editor");
    const press = (person: SessionClient, job: PrintJob, button: "cancel" | "remove") =>
      service.fetch(`/dashboard/prints/${job.jobId}/${button}`, {
        method: "POST",
        headers: { cookie: person.cookie, origin: service.deps.settings.appOrigin },
        body: new URLSearchParams({ workspace: client.workspaceId }),
      });
    const page = async (person: SessionClient, job: PrintJob) => {
      const answer = await service.fetch(`/dashboard/prints/${job.jobId}`, {
        headers: { cookie: person.cookie },
      });
      return answer.text();
    };
    const end = async (job: PrintJob) => (await reader.send("DELETE", `/qr/print-jobs/${job.jobId}`)).status;

    const ofOther = await harness.start(client, "images", { filter: {} });
    expect(await end(ofOther)).toBe(403);
    expect((await press(viewer, ofOther, "cancel")).status).toBe(403);
    expect(await page(viewer, ofOther)).not.toContain("Cancel job");
    expect(await page(editor, ofOther)).toContain("Cancel job");
    await harness.printAll();
    expect(await end(ofOther)).toBe(403);
    expect((await press(viewer, ofOther, "remove")).status).toBe(403);
    expect(await page(viewer, ofOther)).not.toContain("Remove file");
    expect((await harness.file(client, ofOther)).status).toBe(200);
    expect((await press(editor, ofOther, "remove")).status).toBe(303);

    const own = await harness.start(reader, "images", { filter: {} });
    expect(await end(own)).toBe(200);
    const ofReader = await harness.start(reader, "images", { filter: {} });
    expect((await client.send("DELETE", `/qr/print-jobs/${ofReader.jobId}`)).status).toBe(200);
    // Who started a job wasn't stored before.
    const older = await harness.start(reader, "images", { filter: {} });
    await set(older, "created_by = NULL");
    expect(await end(older)).toBe(403);
  });

  it("are bounded: those that wait, those of a day, and their files", async () => {
    const client = await harness.workspaceWith(1);
    const jobs = [];
    for (let i = 0; i < limits.printJob.unfinished; i += 1) {
      jobs.push(await harness.start(client, "images", { filter: {} }));
    }
    const refusal = async () => {
      const response = await client.send("POST", "/qr/images/jobs", { filter: {} });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await refusal()).toEqual([429, expect.stringContaining("at most 5 print jobs queued")]);
    await harness.printAll();
    const [job] = jobs as [PrintJob];
    await set(job, "bytes = ?", limits.printJob.keptBytes);
    expect(await refusal()).toEqual([429, expect.stringContaining("take up 2 GiB. Remove some")]);
    expect((await client.send("DELETE", `/qr/print-jobs/${job.jobId}`)).status).toBe(200);
    await harness.start(client, "images", { filter: {} });
    await harness.printAll();
    await env.DB.prepare(
      `INSERT INTO print_jobs (id, workspace_id, kind, options, status, total_items, created_at, completed_at, removed_at)
       SELECT value, ?1, 'images', '{}', 'cancelled', 1, ?2, ?2, ?2 FROM json_each(?3)`,
    )
      .bind(
        client.workspaceId,
        harness.clock.now(),
        JSON.stringify(Array.from({ length: limits.printJob.perDay }, () => crypto.randomUUID())),
      )
      .run();
    expect(await refusal()).toEqual([429, expect.stringContaining("at most 100 print jobs a day")]);
    harness.clock.advance(86_400_000);
    await harness.start(client, "images", { filter: {} });
    await harness.printAll();
  });

  it("begin once for the same Idempotency-Key", async () => {
    const client = await harness.workspaceWith(1);
    const headers = { "idempotency-key": "print" };
    const job = await harness.start(client, "images", { filter: {} }, headers);
    expect(await harness.start(client, "images", { filter: {} }, headers)).toEqual(job);
    const other = await client.send("POST", "/qr/images/jobs", { filter: {}, format: "png" }, headers);
    expect(other.status).toBe(400);
    expect(harness.prints.splice(0)).toHaveLength(1);
  });

  it("have at most 10 000 codes, all of which must be the workspace's", async () => {
    const client = await harness.workspaceWith(1);
    const ids = Array.from({ length: limits.printJob.codes + 1 }, () => crypto.randomUUID());
    const many = await client.send("POST", "/qr/images/jobs", { ids });
    expect([many.status, await many.json()]).toEqual([
      400,
      { code: "invalid_input", error: "ids can have at most 10000 ids." },
    ]);
    const foreign = await client.send("POST", "/qr/images/jobs", { ids: ids.slice(1) });
    expect(foreign.status).toBe(404);
    const none = await client.send("POST", "/qr/images/jobs", { filter: { tag: "none" } });
    expect(none.status).toBe(400);
  });
});

describe("a file", () => {
  it("is there for a day, then it is removed, and the job says so", async () => {
    const client = await harness.workspaceWith(1);
    const job = await harness.start(client, "images", { filter: {} });
    await harness.printAll();
    harness.clock.advance(86_400_000 - 1);
    await harness.sweep();
    expect((await harness.file(client, job)).status).toBe(200);
    harness.clock.advance(1);
    expect(await (await harness.file(client, job)).json()).toEqual({
      code: "not_found",
      error: expect.stringContaining("was removed"),
    });
    expect(await objectsOf(job)).not.toEqual([]);
    await harness.sweep();
    expect(await objectsOf(job)).toEqual([]);
    expect((await harness.job(client, job)).status).toBe("completed");
    harness.clock.advance((limits.printJob.days + 1) * 86_400_000);
    await harness.sweep();
    expect((await client.send("GET", `/qr/print-jobs/${job.jobId}`)).status).toBe(404);
  });

  it("can be removed before", async () => {
    const client = await harness.workspaceWith(1);
    const job = await harness.start(client, "images", { filter: {} });
    await harness.printAll();
    expect((await client.send("DELETE", `/qr/print-jobs/${job.jobId}`)).status).toBe(200);
    expect((await harness.file(client, job)).status).toBe(404);
    expect(await objectsOf(job)).toEqual([]);
  });
});
