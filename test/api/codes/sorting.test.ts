import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { type Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { QrSort, SortOrder } from "../../../src/contract/resources/enums.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, FakeClock, Service } from "../../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
/** The codes, oldest first. All but one have the tag `t`. */
const codes: Qr[] = [];
const folders = new Map<string | null, string>();

const url = (address: string) => ({ qrType: "url", data: { type: "url", url: address } }) as const;

beforeAll(async () => {
  client = await service.workspace("business");
  for (const name of ["Zoo", "attic", "Box 10", "Box 9"]) {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name });
    folders.set(folder.id, name);
  }
  const [zoo, attic, ten, nine] = [...folders.keys()];
  const made = [
    { name: "äpfel", ...url("z.example/a"), folderId: zoo ?? null, hash: "sorted-c" },
    { ...url("http://a.example/z"), externalId: "b-1", folderId: ten ?? null },
    { name: "Zebra", ...url("a.example/a"), status: "paused" as const, folderId: nine ?? null },
    { name: "apple", ...url("M.example"), externalId: "A-2", folderId: attic ?? null },
    { qrType: "email" as const, data: { type: "email" as const, to: "a@b.example" }, externalId: "c" },
    { name: "apple", ...url("b.example"), status: "paused" as const, hash: "sorted-a" },
  ];
  for (const code of made) {
    clock.advance(5);
    codes.push(await client.createQr({ ...code, tags: ["t"] }));
  }
  codes.push(await client.createQr({ name: "mango", ...url("c.example") }));
  // Changed in another order than they were created in, and two at once.
  for (const i of [3, 0]) {
    clock.advance(5);
    await client.send("PATCH", `/qr/${codes[i]?.id}`, { status: "paused" });
  }
  await client.send("PATCH", `/qr/${codes[5]?.id}`, { status: "active" });
  for (const [i, { id }] of codes.entries()) {
    codes[i] =
      (await client.expect(200, QrList, "GET", `/qr?hash=${codes[i]?.hash}`)).items[0] ?? expect.fail(id);
  }
});

/** Returns all codes of a list, read in small pages. */
async function readAll(query: string): Promise<Qr[]> {
  const found: Qr[] = [];
  for (let cursor = ""; ; ) {
    const page = await client.expect(200, QrList, "GET", `/qr?limit=2&${query}${cursor}`);
    expect(page.items.length).toBeLessThanOrEqual(2);
    found.push(...page.items);
    if (page.nextCursor === null) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** The sorted values, as text; null for none. */
const sortedValue: Readonly<Record<QrSort, (qr: Qr) => string | null>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  name: ({ name }) => name?.normalize("NFC").toUpperCase() ?? null,
  folder: ({ folderId }) =>
    folderId === null
      ? null
      : (["attic", "Box 9", "Box 10", "Zoo"].indexOf(folders.get(folderId) ?? "") + 1).toString(),
  status: ({ status }) => status,
  qrType: ({ qrType }) => qrType,
  externalId: ({ externalId }) => externalId?.toUpperCase() ?? null,
  domain: ({ domain }) => domain,
  destination: ({ data }) => (data.type === "url" ? data.url.replace(/^https?:\/\//, "") : null),
  hash: ({ hash }) => hash,
  // In scanned.test.ts; here, nobody has scanned any.
  scans: () => "0",
  lastScan: () => null,
};

/** Returns the codes in an order; those without a value come last in both. */
function inOrder(listed: readonly Qr[], sort: QrSort, order: SortOrder): string[] {
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: Qr, b: Qr): number => {
    const [left, right] = [sortedValue[sort](a), sortedValue[sort](b)];
    if ((left === null) !== (right === null)) return left === null ? 1 : -1;
    if (left !== null && right !== null && left !== right) return left < right ? -sign : sign;
    return a.id < b.id ? -sign : sign;
  };
  return [...listed].sort(compare).map(({ id }) => id);
}

/** Expects that a list is refused, and how the error begins. */
const refused = async (path: string, beginning: string) =>
  expect(await expectError(await client.send("GET", path), 400, "invalid_input")).toContain(beginning);

const ids = (listed: readonly Qr[]) => listed.map(({ id }) => id);
const tagged = () => codes.filter(({ tags }) => tags.includes("t"));

describe("a sorted list", () => {
  it.each(QrSort.options.flatMap((sort) => SortOrder.options.map((order) => [sort, order] as const)))(
    "by %s, %s, has each code once, page by page, also within filters",
    async (sort, order) => {
      const query = `sort=${sort}&order=${order}`;
      expect(ids(await readAll(query))).toEqual(inOrder(codes, sort, order));
      expect(ids(await readAll(`${query}&tag=t`))).toEqual(inOrder(tagged(), sort, order));
      const paused = codes.filter(({ status }) => status === "paused");
      expect(ids(await readAll(`${query}&status=paused`))).toEqual(inOrder(paused, sort, order));
    },
  );

  it("begins with the newest by time, and with the first by any other", async () => {
    for (const sort of QrSort.options) {
      const order = ["createdAt", "updatedAt", "scans", "lastScan"].includes(sort) ? "desc" : "asc";
      expect([sort, ids(await readAll(`sort=${sort}`))]).toEqual([sort, inOrder(codes, sort, order)]);
    }
    expect(ids(await readAll("order=asc"))).toEqual(inOrder(codes, "createdAt", "asc"));
    expect(ids(await readAll(""))).toEqual(inOrder(codes, "createdAt", "desc"));
  });

  it("has the matches of a search in its order, not the exact ones first", async () => {
    expect(ids(await readAll("q=apple&sort=updatedAt"))).toEqual(
      inOrder(
        codes.filter(({ name }) => name === "apple"),
        "updatedAt",
        "desc",
      ),
    );
  });

  it("names what it can't be sorted by", async () => {
    await refused("/qr?sort=tags", "sort must be createdAt, updatedAt, name");
    await refused("/qr?order=up", "order must be asc or desc");
  });

  it("goes on only with a cursor of its own", async () => {
    const queries = [
      "",
      "sort=createdAt&order=asc",
      "sort=name",
      "sort=name&order=desc",
      "sort=updatedAt",
      "sort=folder",
    ];
    for (const query of [...queries, "sort=name&tag=t"]) {
      const { nextCursor } = await client.expect(200, QrList, "GET", `/qr?limit=2&${query}`);
      for (const other of [...queries, "sort=name&tag=t"].filter((each) => each !== query)) {
        await refused(`/qr?limit=2&${other}&cursor=${nextCursor}`, "cursor isn't a cursor of this list");
      }
    }
  });
});

describe("more codes than can be sorted", () => {
  const { sortedCodes, sortedByScans } = limits;
  const { sortedFrom } = bounds;
  afterEach(() => {
    Object.assign(limits, { sortedCodes, sortedByScans });
    Object.assign(bounds, { sortedFrom });
  });

  it("are refused, with what to do, unless an index has the order", async () => {
    Object.assign(limits, { sortedCodes: 5, sortedByScans: 5 });
    for (const sort of QrSort.options) {
      const query = `sort=${sort}&tag=t`;
      if (["createdAt", "updatedAt", "name"].includes(sort)) {
        const order = sort === "name" ? "asc" : "desc";
        expect(ids(await readAll(query))).toEqual(inOrder(tagged(), sort, order));
        continue;
      }
      const advice = "Filter them, or sort by createdAt, updatedAt or name.";
      await refused(`/qr?${query}`, `sort can be ${sort} for at most 5 QR codes. ${advice}`);
      await readAll(`${query}&status=paused`);
    }
    expect(ids(await readAll("sort=name&order=desc&tag=t"))).toEqual(inOrder(tagged(), "name", "desc"));
  });

  it("are those, too, among which a filter is looked for", async () => {
    Object.assign(bounds, { sortedFrom: 6 });
    await refused("/qr?sort=folder&status=paused", "sort can be folder for at most");
    await readAll("sort=folder&status=paused&tag=t");
  });
});
