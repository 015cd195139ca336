import { expect, it } from "vitest";
import { Browser } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { Service } from "../../support/service.ts";
import { suspensionPath } from "../../support/suspension.ts";

const service = new Service();

/** The texts of the links to a code, but for buttons and icons. */
const titlesIn = (page: string, id: string): string[] =>
  [
    ...page.matchAll(
      new RegExp(`<a (?!class="button)[^>]*href="/dashboard/codes/${id}"[^>]*>(.*?)</a>`, "gs"),
    ),
  ]
    .map(([, text = ""]) => text.replace(/<[^>]+>/g, ""))
    .filter((text) => text !== "");

it("a code without a name has one title everywhere: where it leads", async () => {
  const session = await service.session();
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const client = await service.client(session.workspaceId);
  const qr = await client.createQr({ data: { type: "url", url: "https://shop.example/menu" } });
  const path = `/dashboard/codes/${qr.id}`;
  for (const address of ["/dashboard/codes", `${path}/edit`, `${path}/test?after=`, `${path}/share`]) {
    const titles = titlesIn(await pageAt(browser, address), qr.id);
    expect([address, ...new Set(titles)]).toEqual([address, "shop.example/menu"]);
  }
  for (const address of [path, `${path}/scans`]) {
    expect(await pageAt(browser, address)).toContain("<h1>shop.example/menu</h1>");
  }
  const { status } = await service.operator.send("PUT", suspensionPath("qr", qr.id), {
    reason: "Reported",
    legalOrder: false,
  });
  expect(status).toBe(200);
  const notice = titlesIn(await pageAt(browser, "/dashboard/folders"), qr.id);
  expect(notice).toEqual(["shop.example/menu"]);
});

it("a code without a name that shows a hosted page is titled by its short link", async () => {
  const session = await service.session();
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const client = await service.client(session.workspaceId);
  const page = await (await session.send("POST", "/developer/pages", { title: "Fair" })).json<{
    id: string;
  }>();
  const data = { type: "servicepage" as const, pageId: page.id };
  const qr = await client.createQr({ qrType: "servicepage", data });
  const title = qr.scanUrl.replace(/^https?:\/\//, "");
  for (const address of ["/dashboard/codes", `/dashboard/pages/${page.id}`]) {
    expect(titlesIn(await pageAt(browser, address), qr.id)).toContain(title);
  }
});

it("where a code leads is said in the same words everywhere, with the digits of a phone number in groups", async () => {
  const session = await service.session();
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const client = await service.client(session.workspaceId);
  const qr = await client.createQr({
    ...{ qrType: "sms", name: "Hotline" },
    data: { type: "sms", phone: "+4930901820" },
  });
  const path = `/dashboard/codes/${qr.id}`;
  for (const address of ["/dashboard/codes", path, `${path}/test?after=`, "/dashboard/go?q=hotline"]) {
    expect([address, await pageAt(browser, address)]).toEqual([
      address,
      expect.stringContaining("Text to +49 30 901820"),
    ]);
  }
  expect(await pageAt(browser, path)).toContain("+49 30 901820</dd>");
});
