import { expect, it } from "vitest";
import { Browser } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { Service } from "../../support/service.ts";

it("shows the example company in pictures to anyone, and leads there from an empty workspace", async () => {
  const service = new Service();
  const browser = new Browser(service);
  const page = await pageAt(browser, "/dashboard/tour");
  const pictures = [...page.matchAll(/<img src="([^"]+)" width="1440" height="900" alt="[^"]+"/g)];
  expect(pictures.length).toBe(4);
  for (const [, path = ""] of pictures) {
    const picture = await browser.open(path);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    const start = new Uint8Array(await picture.arrayBuffer()).slice(1, 4);
    expect(new TextDecoder().decode(start)).toBe("PNG");
  }
  expect((await browser.open("/dashboard/tour/pictures/none.png")).status).toBe(404);

  const { cookie } = await service.session();
  browser.cookies.set("session", cookie.replace("session=", ""));
  expect(await pageAt(browser, "/dashboard")).toContain('href="/dashboard/tour"');
});
