import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeInput, domainHost, folderName } from "../../../scripts/company/large/contents.ts";
import { LargeStage } from "../../../scripts/company/large/fill.ts";
import { changeCopy, clearCopies } from "../../../scripts/company/large/storage.ts";
import { parseDevOptions } from "../../../scripts/lib/options.ts";
import { issuer, origin, sessionSecret } from "../../../scripts/lib/seed.ts";
import { FolderList } from "../../../src/contract/resources/codes/folders.ts";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { Analytics } from "../../../src/contract/resources/scans/analytics.ts";

describe("the large workspace", () => {
  const sizes = { codes: 1020, folders: 3, domains: 2, scans: 500 };
  const said: string[] = [];
  let stage: LargeStage;
  beforeAll(async () => {
    const variables = { SESSION_SECRET: sessionSecret };
    const say = (line: string) => void said.push(line.trim());
    stage = await LargeStage.set({
      sizes,
      now: Date.now(),
      origin,
      issuer,
      subject: "large",
      variables,
      say,
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  async function read(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${stage.apiKey}` };
    return (await stage.fetch(`/api/v1${path}`, { method: "GET", headers })).json();
  }

  it("has its codes in folders, at domains, with tags and old addresses, as the service stores them", async () => {
    const { folders } = FolderList.parse(await read("/folders"));
    expect(folders.map(({ name }) => name)).toEqual([0, 1, 2].map(folderName));
    const domains = [0, 1].map(domainHost);
    const folderIds = folders.map(({ id }) => id);
    for (const i of [0, 1, 9, 999, 1019]) {
      const { externalId = "", aliases = [], ...input } = codeInput(i, { folderIds, domains });
      const { items } = QrList.parse(await read(`/qr?externalId=${externalId}`));
      expect(items).toEqual([expect.objectContaining({ ...input, aliases })]);
    }
    const page = await stage.fetch("/dashboard/codes", { method: "GET", headers: { cookie: stage.cookie } });
    expect(await page.text()).toContain("1,020");
  });

  it("has its scans in reports", async () => {
    const { allTime } = Analytics.parse(await read("/analytics"));
    expect(allTime.scans).toBeGreaterThan(sizes.scans * 0.9);
  });

  it("says how far each step is", () => {
    expect(said).toEqual(
      expect.arrayContaining([
        "3 of 3 folders",
        "2 of 2 domains",
        "1,020 of 1,020 codes",
        "500 of 500 scans",
      ]),
    );
  });
});

describe("the storage of a data folder", () => {
  let state = "";
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), "qr-storage-"));
    await mkdir(join(state, "v3"));
    await writeFile(join(state, "v3/before"), "");
  });
  afterAll(() => rm(state, { recursive: true }));
  const stored = async () => [await readdir(state), await readdir(join(state, "v3"))];
  const add = (name: string) => (storage: string) => writeFile(join(storage, name), "");

  it("stays as it was if a change is interrupted, and has all of one that isn't", async () => {
    const dying = changeCopy(state, async (storage) => {
      await add("half")(storage);
      throw new Error("interrupted");
    });
    await expect(dying).rejects.toThrow("interrupted");
    await clearCopies(state);
    expect(await stored()).toEqual([["v3"], ["before"]]);
    await changeCopy(state, add("whole"));
    expect(await stored()).toEqual([["v3"], ["before", "whole"]]);
  });

  it("comes back if the interruption was between the two", async () => {
    await rename(join(state, "v3"), join(state, "v3-former"));
    await clearCopies(state);
    expect(await stored()).toEqual([["v3"], ["before", "whole"]]);
  });
});

it("is asked for by --example large", () => {
  const examples = [["--example", "large"], ["--example"], []].map(
    (args) => parseDevOptions(args, {}).example,
  );
  expect(examples).toEqual(["large", "company", undefined]);
});
