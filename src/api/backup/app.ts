import { Hono } from "hono/tiny";
import * as z from "zod";
import { Answers } from "../../contract/resources/pages.ts";
import {
  beginBackup,
  beginRestoring,
  copyLedger,
  describeInstallation,
  endBackup,
  endRestoring,
  finishRestoring,
  isCopiedFile,
  mayBackUp,
  readCatalogue,
  recordLater,
  restoreLedger,
  setMoving,
  storeCatalogue,
} from "../../domain/backup/backup.ts";
import type { Deps } from "../../domain/deps.ts";
import { describeError, log } from "../../lib/log.ts";
import { isId } from "../../lib/text/ids.ts";
import { writeChanges, writePage, writePages } from "./sections.ts";

/** Where backups are read and restored. */
const base = "/operator/backup";

const Id = z.string().refine(isId);
const Key = z.array(z.union([z.string(), z.number(), z.null()]));
const Name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const Rows = z.object({
  table: Name,
  columns: z.array(Name),
  key: z.array(z.number()),
  blobs: z.array(z.number()),
  lines: z.string(),
});
const CopyStep = z.discriminatedUnion("step", [
  z.object({ step: z.literal("begin"), id: Id, holds: z.boolean() }),
  z.object({
    step: z.literal("pages"),
    id: Id,
    table: Name,
    after: Key.nullable(),
    before: Name.nullable(),
  }),
  z.object({ step: z.literal("changes"), id: Id, after: z.number() }),
  z.object({ step: z.literal("end"), id: Id }),
]);
const RestoreStep = z.discriminatedUnion("step", [
  z.object({ step: z.enum(["begin", "release"]), id: Id }),
  z.object({ step: z.enum(["rows", "remove"]), id: Id, rows: Rows }),
  z.object({ step: z.literal("complete"), id: Id, values: z.record(z.string(), z.unknown()) }),
]);
const Begin = z.object({ id: Id });

const Text = z.string().nullable();
const Index = z.number();
const Later = z.object({
  batch: z.object({
    workspaceId: Id,
    codes: z.array(z.object({ qrId: z.string(), hash: z.string() })),
    userAgents: z.array(Text),
    places: z.array(z.object({ country: Text, city: Text, isMailNetwork: z.boolean() })),
    referrers: z.array(Text),
    vias: z.array(z.string()),
    scans: z.array(
      z.union([
        z.tuple([z.string(), z.string(), Index, Index, Index, z.literal([0, 1]), Index]),
        z.tuple([z.string(), z.string(), Index, Index, Index, z.literal([0, 1]), Index, Index]),
      ]),
    ),
  }),
  submissions: z.array(
    z.object({
      ...{ id: Id, pageId: z.string(), fingerprint: z.string(), sender: z.string() },
      fields: Answers,
    }),
  ),
});

/** An error that the command shows. */
const problem = (status: number, error: string): Response => Response.json({ error }, { status });

const notFound = (): Response => problem(404, "Not found.");

const done = (): Response => new Response(null, { status: 204 });

const lines = (text: string): Response =>
  new Response(text, { headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" } });

const bodyOf = async <Body>(request: Request, shape: z.ZodType<Body>): Promise<Body> =>
  shape.parse(await request.json());

/**
 * The endpoints by which `npm run backup` and `npm run restore` read and store everything. They don't exist for requests
 * without the BACKUP_SECRET, which is set while these commands run.
 */
export function createBackup(deps: Deps): Hono {
  const app = new Hono().basePath(base);
  app.onError((error) => {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return problem(400, "The body isn't one of a backup.");
    log("error", "backup request failed", { error: describeError(error) });
    return problem(500, describeError(error).split("\n")[0] ?? "");
  });
  app.notFound(notFound);
  app.use(async (c, next) => {
    if (!(await mayBackUp(deps, c.req.header("authorization")))) return notFound();
    return next();
  });

  for (const [path, record] of [
    ["/begin", beginBackup],
    ["/end", endBackup],
    ["/restore/end", endRestoring],
    ["/restore/finish", finishRestoring],
  ] as const) {
    app.post(path, async (c) => {
      await record(deps, (await bodyOf(c.req.raw, Begin)).id);
      return done();
    });
  }
  app.get("/", async () => Response.json(await describeInstallation(deps)));
  app.on(["PUT", "DELETE"], "/moving", async (c) => {
    await setMoving(deps, c.req.method === "PUT");
    return done();
  });
  app.get("/catalogue/:table", async (c) => {
    const after = c.req.query("after");
    const page = await readCatalogue(
      deps,
      c.req.param("table"),
      after === undefined ? null : Key.parse(JSON.parse(after)),
    );
    return page === null ? notFound() : lines(writePage(page));
  });
  app.post("/ledgers/:workspaceId/copy", async (c) => {
    const answer = await copyLedger(
      deps,
      Id.parse(c.req.param("workspaceId")),
      await bodyOf(c.req.raw, CopyStep),
    );
    if (answer.kind === "pages") return lines(writePages(answer.pages, answer.next));
    if (answer.kind === "changes") return lines(writeChanges(answer.changes));
    return answer.kind === "given up" ? problem(409, "The copy was given up.") : Response.json(answer);
  });

  app.post("/restore", async (c) => {
    const isBegun = await beginRestoring(deps, (await bodyOf(c.req.raw, Begin)).id);
    return isBegun ? done() : problem(409, "The installation has data of its own, or of another backup.");
  });
  app.post("/ledgers/:workspaceId/later", async (c) => {
    await recordLater(deps, Id.parse(c.req.param("workspaceId")), await bodyOf(c.req.raw, Later));
    return done();
  });
  app.put("/catalogue/:table", async (c) => {
    const rows = await bodyOf(c.req.raw, Rows);
    return (await storeCatalogue(deps, rows, c.req.query("final") !== undefined)) ? done() : notFound();
  });
  app.post("/ledgers/:workspaceId/restore", async (c) => {
    const answer = await restoreLedger(
      deps,
      Id.parse(c.req.param("workspaceId")),
      await bodyOf(c.req.raw, RestoreStep),
    );
    return answer === "refused"
      ? problem(409, "The workspace's ledger has data of its own, or of another backup.")
      : Response.json({ answer });
  });

  app.get("/files", async (c) => {
    const { prefix = "", cursor } = c.req.query();
    if (deps.files === undefined || !isCopiedFile(prefix)) return notFound();
    const listed = await deps.files.list({
      prefix,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const files = listed.objects.map(({ key, size, etag }) => ({ key, size, etag }));
    return Response.json({ files, cursor: listed.truncated ? listed.cursor : null });
  });
  app.get("/file", async (c) => {
    const key = c.req.query("key") ?? "";
    const object = isCopiedFile(key) ? await deps.files?.get(key) : null;
    if (object === null || object === undefined) return notFound();
    const { contentType = "" } = object.httpMetadata ?? {};
    return new Response(object.body, {
      headers: {
        "content-type": "application/octet-stream",
        "x-content-type": contentType,
        etag: object.httpEtag,
      },
    });
  });
  app.put("/file", async (c) => {
    const key = c.req.query("key") ?? "";
    if (deps.files === undefined || !isCopiedFile(key)) return notFound();
    const contentType = c.req.header("x-content-type") ?? "";
    const options = contentType === "" ? {} : { httpMetadata: { contentType } };
    await deps.files.put(key, c.req.raw.body ?? new Uint8Array(), options);
    return done();
  });
  return app;
}
