import { beforeAll, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { allows, type Role } from "../../../src/contract/roles.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { Browser } from "../../support/browser.ts";
import { validBody } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";

/** A page offers no link and no form that the role of its reader doesn't allow. */

const service = new Service();
let workspaceId: string;
const values: Record<string, string> = {};

beforeAll(async () => {
  const client = await service.workspace();
  ({ workspaceId } = client);
  const owner = await service.sessionIn(workspaceId);
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Menus" });
  const { id: codes } = await client.createQr({ name: "Menu", tags: ["summer"], folderId: folder.id });
  const template = await owner.expect(
    201,
    Template,
    "POST",
    "/developer/templates",
    validBody.createTemplate,
  );
  const page = await owner.expect(201, Page, "POST", "/developer/pages", validBody.createPage);
  Object.assign(values, { codes, folders: folder.id, templates: template.id, pages: page.id });
});

const patterns = routes.map(([verb, path, permission]) => ({
  verb,
  pattern: new RegExp(`^/dashboard${path.replace(/\/$/, "").replaceAll(/:\w+/g, "[^/]+")}$`),
  permission,
}));

/** Returns what a page offers and a role lacks. */
function lackingIn(page: string, role: Role): string[] {
  const main = page.replace(/<dialog.*?<\/dialog>/gs, "");
  const offered = [
    ...Array.from(main.matchAll(/<a [^>]*href="([^"]*)"/g), ([, to = ""]) => ["GET", to] as const),
    // The selection's form has buttons for what everyone may do, too.
    ...Array.from(
      main.matchAll(/<form (?![^>]*class="selection")[^>]*action="([^"]*)"/g),
      ([form, to = ""]) => {
        return [form.includes('method="post"') ? "POST" : "GET", to] as const;
      },
    ),
  ];
  return offered.flatMap(([verb, to]) => {
    const path = to.replace(/[?#].*/s, "");
    const route = patterns.find((known) => known.verb === verb && known.pattern.test(path));
    return route === undefined || allows(role, route.permission) ? [] : [`${verb} ${path}`];
  });
}

const pages = routes.filter(([verb, path]) => verb === "GET" && path !== "/components");

it.each(["viewer", "editor", "admin"] as const)(
  "no page offers a person who is %s what they can't do",
  async (role) => {
    const { cookie } = await service.sessionIn(workspaceId, role);
    const browser = new Browser(service);
    browser.cookies.set("session", cookie.replace("session=", ""));
    const lacking: Record<string, string[]> = {};
    for (const [, path, permission] of pages) {
      if (!allows(role, permission)) continue;
      const address = path.replace(
        /([^/]+)\/:\w+/g,
        (_, kind: string) => `${kind}/${values[kind] ?? "none"}`,
      );
      const answer = await browser.open(`/dashboard${address.replace(/\/$/, "")}`);
      if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
      const found = lackingIn(await answer.text(), role);
      if (found.length > 0) lacking[path] = [...new Set(found)];
    }
    expect(lacking).toEqual({});
  },
);
