import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, ScriptedServer } from "../../e2e/support/client/scripted-server.ts";
import { TestReceiver } from "../../e2e/support/receiver.ts";
import { CommandLine } from "../support/command-line.ts";

describe("the command line", () => {
  let line: CommandLine;
  const qr = (...args: string[]) => line.run(...args);
  const rowsOf = (text: string) =>
    text
      .split("\n")
      .filter((each) => each !== "")
      .map((each) => JSON.parse(each) as Record<string, string>);

  beforeAll(async () => {
    line = await CommandLine.create("command groups");
  });
  afterAll(() => line[Symbol.dispose]());

  /** Creates codes with a tag. @returns their ids, the newest first */
  async function createCodes(tag: string, count = 2): Promise<string[]> {
    for (let number = 1; number <= count; number += 1) {
      await qr("codes", "create", `example.com/${tag}/${number}`, "--tag", tag, "--name", `${tag} ${number}`);
    }
    const { stdout } = await qr("codes", "list", "--filter", `tag=${tag}`, "--ndjson");
    return rowsOf(stdout).map(({ id = "" }) => id);
  }

  it("says who it is, and forgets it", async () => {
    const { stdout } = await qr("whoami");
    expect(stdout).toMatch(/^service +http.*\nkey +Terminal \(secret\)\nscopes +qr:read, /);
    expect(JSON.parse((await qr("whoami", "--json")).stdout)).toMatchObject({ key: { name: "Terminal" } });
    const { stderr } = await qr("login");
    const file = stderr.replace(/^Stored in /, "").trim();
    const none = { QR_URL: "", QR_KEY: "" };
    expect(await line.resultOf(line.start(["logout"], none))).toEqual({
      ...{ code: 0, stdout: `Removed ${file}\n`, stderr: "" },
    });
    expect(existsSync(file)).toBe(false);
    expect(await qr("logout")).toEqual({
      ...{ code: 0, stdout: "Nothing was stored.\n" },
      stderr: "QR_URL and QR_KEY in the environment still count.\n",
    });
    expect((await line.resultOf(line.start(["whoami"], none))).code).toBe(2);
  });

  it("gives out lines, and takes them where it takes rows and codes", async () => {
    const ids = await createCodes("lines", 3);
    const exported = await qr("export", "--filter", "tag=lines", "--format", "ndjson");
    expect(
      rowsOf(exported.stdout)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.toSorted());
    for (const list of ["--ndjson", "--json"]) {
      const { stdout } = await qr("codes", "list", "--filter", "tag=lines", list);
      const got = await line.pipe(stdout, "codes", "get", "-", "--ndjson");
      expect(rowsOf(got.stdout).map(({ id }) => id)).toEqual(ids);
    }

    // Sent back as it is, it changes nothing.
    const same = await line.pipe(exported.stdout, "relink", "-", "--dry-run");
    expect([same.code, same.stdout]).toEqual([0, "0 to change, 3 unchanged, 0 would fail\n"]);
    const edited = exported.stdout.replaceAll("https://example.com", "https://menu.example");
    const relinked = await line.pipe(edited, "relink", "-", "--yes");
    expect([relinked.code, relinked.stdout]).toEqual([0, expect.stringContaining("3 of 3 rows done")]);

    const set = await line.pipe(exported.stdout, "codes", "set", "-", "--tag", "renamed");
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining("3 of 3 rows done") });
    const labels = await line.pipe(ids.join("\n"), ..."labels --sheet L7160 --id - -o l.pdf".split(" "));
    expect([labels.code, line.read("l.pdf").slice(0, 4)]).toEqual([0, "%PDF"]);
    const deleted = await line.pipe(exported.stdout, "codes", "delete", "-");
    const [, jobId = ""] = /qr undo (\S+)/.exec(deleted.stderr) ?? [];
    expect([deleted.code, (await qr("codes", "get", ids[0] ?? "")).code]).toEqual([0, 4]);
    expect((await qr("undo", jobId)).code).toBe(0);
    const { stdout: back } = await qr("codes", "list", "--filter", "tag=renamed", "--ndjson");
    expect(rowsOf(back).map(({ id }) => id)).toEqual(ids);

    const rows = ["A", "B"].map((name) => ({
      name,
      qrType: "url",
      data: { type: "url", url: "example.com" },
    }));
    const imported = await line.pipe(rows.map((row) => JSON.stringify(row)).join("\n"), "import", "-");
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining("2 of 2 rows done")]);
    for (const [input, args, code] of [
      ["", ["codes", "delete", "-"], 2],
      ['{"name":"A"}', ["codes", "delete", "-"], 2],
      ['{"name":', ["import", "-"], 2],
      ["no-such-code", ["codes", "get", "-"], 4],
    ] as const) {
      expect((await line.pipe(input, ...args)).code).toBe(code);
    }
  });

  it("shows changes, and undoes those that it is given", async () => {
    const [id = ""] = await createCodes("history", 1);
    await qr("codes", "set", id, "--name", "Second");
    await qr("codes", "set", id, "--name", "Third");
    const shown = await qr("history", id);
    expect(shown.stdout).toMatch(
      /^TIME +WHO +ACTION +WHAT +FIELDS +ID\n.*Terminal +code\.updated +Third +name /,
    );
    const entries = await qr("history", id, "--limit", "2", "--ndjson");
    expect(entries.stderr).toContain("There are more than 2");
    // The newest first, as it has to be.
    expect((await line.pipe(entries.stdout, "undo", "-")).stdout).toBe(
      "Undone: code.updated Second\nUndone: code.updated history 1\n",
    );
    expect((await qr("codes", "get", id)).stdout).toContain("history 1");
    const all = await qr("history", "--filter", "kind=code", "--filter", `object=${id}`, "--json");
    expect(JSON.parse(all.stdout)).toHaveLength(5);
    // The codes that changed.
    const codes = await line.pipe(all.stdout, "codes", "get", "-", "--ndjson");
    expect(rowsOf(codes.stdout)).toMatchObject([{ id }]);
  });

  it("shows, exports, watches and reports scans", async () => {
    const [id = ""] = await createCodes("scans", 1);
    const { scanUrl = "" } = JSON.parse((await qr("codes", "get", id, "--json")).stdout) as Record<
      string,
      string
    >;
    const iphone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
    const watching = line.start(["scans", "watch", "--json"]);
    const watched = line.resultOf(watching);
    const [stdout, stderr] = [watching.stdout, watching.stderr].map((stream) => stream ?? process.stdin);
    await once(createInterface({ input: stderr ?? process.stdin }), "line");
    const seen = once(createInterface({ input: stdout ?? process.stdin }), "line");
    await fetch(scanUrl, { redirect: "manual", headers: { "user-agent": iphone } });
    const [first] = (await seen) as [string];
    watching.kill("SIGINT");
    expect([JSON.parse(first), (await watched).code]).toMatchObject([{ qrId: id, os: "iOS" }, 130]);

    const listed = await qr("scans", "list", scanUrl);
    expect(listed.stdout).toMatch(/^TIME +COUNTRY .*\n20.* mobile +iOS/);
    const lines = await qr("scans", "export", id, "--format", "ndjson");
    expect(rowsOf(lines.stdout)).toMatchObject([{ qrId: id }]);
    const codes = await line.pipe(lines.stdout, "codes", "get", "-", "--ndjson");
    expect(rowsOf(codes.stdout)).toMatchObject([{ id }]);
    const report = await qr(
      "report",
      id,
      "--by",
      "os",
      "--by",
      "device",
      "--interval",
      "month",
      "--compare",
      "year",
    );
    expect(report.code).toBe(0);
    expect(report.stdout).toMatch(/^PERIOD .*\n20.* to 20.* 1 +1 +1 +0\n20.* to 20.* 0 /);
    expect(report.stdout).toMatch(/^OS +SCANS\niOS +1$/m);
    expect(report.stdout).toMatch(/^DEVICE +SCANS\nmobile +1$/m);
    const tagged = await qr("report", "--filter", "tag=scans", "--json");
    expect(JSON.parse(tagged.stdout)).toMatchObject({ totals: { scans: 1 } });
  });

  it("keeps folders", async () => {
    expect((await qr("folders", "create", "Menus")).stdout).toMatch(/^id .*\nname +Menus\n$/);
    const [folder] = rowsOf((await qr("folders", "list", "--ndjson")).stdout);
    await qr("folders", "rename", "Menus", "Summer menus");
    await qr("codes", "create", "example.com", "--folder", folder?.id ?? "");
    expect((await qr("folders", "list")).stdout).toBe(`NAME          ID\nSummer menus  ${folder?.id}\n`);
    const deleted = await qr("folders", "delete", "Summer menus");
    expect(deleted).toEqual({
      ...{ code: 0, stdout: "Deleted Summer menus\n" },
      stderr: `Undo it with: qr folders restore ${folder?.id}\n`,
    });
    expect((await qr("folders", "delete", "Summer menus")).code).toBe(4);
    expect((await qr("folders", "restore", folder?.id ?? "")).stdout).toContain("Summer menus");
    await Promise.all([qr("folders", "create", "Two"), qr("folders", "create", "Two")]);
    expect(await qr("folders", "delete", "Two")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Several"),
    });
  });

  it("shows domains", async () => {
    const host = `groups-${Date.now()}.localhost`;
    await line.workspace.callDeveloper("POST", "/domains", { host });
    expect((await qr("domains", "list")).stdout).toContain(`${host}  active`);
    expect((await qr("domains", "get", host.toUpperCase())).stdout).toMatch(/^status +active$/m);
    expect((await qr("domains", "get", "no-such-host.example")).code).toBe(4);
  });

  it("names the scope that a key lacks", async () => {
    const key = await line.key(["qr:read"]);
    for (const [args, scope] of [
      ["webhooks list", "webhooks:read"],
      ["listen localhost:9000", "webhooks:read"],
      ["webhooks create https://a.example --event qr.created", "webhooks:write"],
      ["domains list", "workspace:read"],
      ["history", "history:read"],
      ["scans export", "scans:read"],
      ["report", "scans:read"],
      ["folders create A", "qr:write"],
    ] as const) {
      const { code, stderr } = await line.resultOf(line.start(args.split(" "), { QR_KEY: key }));
      expect([args, code, stderr]).toEqual([args, 3, expect.stringContaining(`the scope ${scope}`)]);
    }
  });

  describe("listens", () => {
    const receiver = new TestReceiver();
    const [far, near] = ["/far", "/near"];
    let secret: string;

    beforeAll(async () => {
      await receiver.start();
      const events = ["--event", "qr.created", "--event", "page.submitted"];
      const { stdout } = await qr("webhooks", "create", receiver.url(far), ...events, "--json");
      ({ secret } = JSON.parse(stdout) as { secret: string });
      for (const path of [far, near]) receiver.secrets.set(path, secret);
    });
    afterAll(() => receiver.stop());

    /** Starts to listen, and waits until it does. */
    async function listen(args: string[] = [], env: Record<string, string> = {}) {
      const child = line.start(["listen", receiver.url(near), ...args], {
        QR_WEBHOOK_SECRET: secret,
        ...env,
      });
      const result = line.resultOf(child);
      const sent = once(createInterface({ input: child.stdout ?? process.stdin }), "line");
      const lines = createInterface({ input: child.stderr ?? process.stdin });
      for await (const each of lines) if (each.endsWith("Ctrl-C ends.")) break;
      return {
        /** Settles once there is a line about a delivery. */
        sent,
        /** Ends it as Ctrl-C does. */
        end: () => {
          child.kill("SIGINT");
          return result;
        },
      };
    }

    it("to deliveries, with the bytes and headers of the service", async () => {
      const listening = await listen();
      for (const name of ['Zürich 菜 \u00a0 "\\ </script>', "Second"]) {
        await qr("codes", "create", "example.com/listen", "--name", name);
      }
      await qr("webhooks", "test", receiver.url(far));
      await expect.poll(() => [receiver.at(far).length, receiver.at(near).length]).toEqual([3, 3]);
      const byId = new Map(receiver.at(far).map((post) => [post.body.deliveryId, post]));
      for (const { raw, body, headers } of receiver.at(near)) {
        const original = byId.get(body.deliveryId);
        expect(raw).toBe(original?.raw);
        for (const name of ["content-type", "user-agent", "x-service-event", "x-service-delivery"]) {
          expect(headers[name]).toBe(original?.headers[name]);
        }
      }
      const { code, stdout, stderr } = await listening.end();
      expect({
        code,
        lines: stdout.match(/^\d\d:\d\d:\d\d {2}qr\.created +[\da-f-]{36} {2}200 \(\d+ ms\)$/gm),
      }).toEqual({
        ...{ code: 0, lines: [expect.anything(), expect.anything(), expect.anything()] },
      });
      expect(stderr).toContain("Sent 3 deliveries.\n");
    });

    it("to a paused webhook, since a time, and is refused with another secret", async () => {
      const { stdout: paused } = await qr("webhooks", "set", receiver.url(far), "--status", "paused");
      expect(paused).toMatch(/^status +paused$/m);
      const before = receiver.at(far).length;
      const listening = await listen(["--json"], { QR_WEBHOOK_SECRET: "whsec_other" });
      await qr("codes", "create", "example.com/paused");
      const newest = async () =>
        rowsOf((await qr("webhooks", "deliveries", receiver.url(far), "--ndjson")).stdout)[0];
      await expect.poll(newest).toMatchObject({ event: "qr.created", status: "skipped" });
      const again = await listen(["--from", new Date(Date.now() - 60_000).toISOString(), "--json"]);
      await expect
        .poll(() => receiver.at(near).some(({ raw }) => raw.includes("example.com/paused")))
        .toBe(true);
      expect(receiver.at(far)).toHaveLength(before);
      await again.end();
      await listening.sent;
      const wrong = await listening.end();
      expect(rowsOf(wrong.stdout)).toMatchObject([{ status: 400, error: "HTTP 400: bad signature" }]);
      expect(wrong.stderr).toContain("Sent 0 deliveries, and 1 failed.\n");
      await qr("webhooks", "set", receiver.url(far), "--status", "active");
    });

    it("says what it won't send", async () => {
      const key = await line.key(["qr:read", "webhooks:read"]);
      const path = `/webhooks/${rowsOf((await qr("webhooks", "list", "--ndjson")).stdout)[0]?.id}`;
      await line.workspace.callDeveloper("PATCH", path, { headers: { "x-tenant": "a", authorization: "b" } });
      const { stderr } = await (await listen(["--header", "x-tenant=a"], { QR_KEY: key })).end();
      expect(stderr).toMatch(/^This key lacks the scope submissions:read: no page\.submitted is sent\.$/m);
      expect(stderr).toMatch(/^Not sent: authorization\. Give their values with --header\.$/m);
    });

    it("only nearby, with a secret, to a webhook that is named or alone", async () => {
      for (const [args, problem] of [
        ["listen https://1.1.1.1", "Add --public"],
        ["listen ftp://localhost", "isn't an address"],
        ["listen localhost:9000", "Set QR_WEBHOOK_SECRET"],
        ["listen localhost:9000 --header x", "--header takes NAME=VALUE"],
        ["listen", "URL is missing"],
      ] as const) {
        const { code, stderr } = await qr(...args.split(" "));
        expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
      }
      const unknown = await line.resultOf(
        line.start(["listen", "localhost:9000", "--webhook", "no-such"], { QR_WEBHOOK_SECRET: secret }),
      );
      expect(unknown.code).toBe(4);
      await qr("webhooks", "create", receiver.url("/third"), "--event", "qr.deleted");
      const { code, stderr } = await qr("listen", "localhost:9000");
      expect([code, stderr]).toEqual([2, expect.stringContaining(receiver.url("/third"))]);
      expect((await qr("webhooks", "delete", receiver.url("/third"))).code).toBe(0);
    });

    it("on, while there are too many requests", async () => {
      const webhook = { id: "w1", url: "https://a.example/", events: ["qr.created"], headers: [] };
      const delivery = { id: "d1", event: "qr.created", createdAt: "2026-01-31T09:00:00Z" };
      await using server = await ScriptedServer.start(({ url }, response, count) => {
        if (url.endsWith("/webhooks")) return json(response, 200, { webhooks: [webhook] });
        if (url.endsWith("/me")) return json(response, 200, { key: { scopes: ["qr:write"] } });
        if (count % 2 === 1) {
          return json(
            response,
            429,
            { error: "Rate limit exceeded", code: "rate_limited" },
            { "retry-after": "0" },
          );
        }
        if (url.endsWith("/d1"))
          return json(response, 200, { ...delivery, payload: { event: "x", name: "1" } });
        json(response, 200, { items: count > 5 ? [delivery] : [], nextCursor: null });
      });
      const before = receiver.at(near).length;
      const listening = await listen([], { QR_URL: server.origin });
      await expect.poll(() => receiver.at(near).length).toBe(before + 1);
      const { code, stderr } = await listening.end();
      expect([code, stderr]).toEqual([0, expect.stringContaining("Rate limit exceeded Going on in 0 s.\n")]);
    });
  });
});
