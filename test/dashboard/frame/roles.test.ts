import { beforeAll, describe, expect, it } from "vitest";
import { allows, type Role, roles } from "../../../src/contract/roles.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { Browser } from "../../support/browser.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

/** The table of permissions, held at a page and a form of the dashboard for every permission. */

const service = new Service();
let workspaceId: string;

beforeAll(async () => {
  ({ workspaceId } = await service.session());
});

/** A new member of the workspace: some forms make people leave it, or switch to another. */
async function browserOf(role: Role): Promise<Browser> {
  const { cookie } = await service.sessionIn(workspaceId, role);
  const browser = new Browser(service);
  browser.cookies.set("session", cookie.replace("session=", ""));
  return browser;
}

const addressOf = (path: string) =>
  `/dashboard${path.replace(/\/$/, "").replaceAll(/:\w+/g, () => crypto.randomUUID())}`;

const rows = routes.map(([verb, path, permission]) => ({ verb, path, permission }));

describe.each(oneOfEach(rows, ({ verb, permission }) => `${verb} ${permission}`))(
  "$verb $path",
  ({ verb, path, permission }) => {
    // The table names the least role, so that the highest one that is refused and that one tell of the others.
    const refused = roles.filter((role) => !allows(role, permission)).toReversed();
    const allowed = roles.filter((role) => allows(role, permission));
    const tried = oneOfEach([...refused, ...allowed], (role) => `${allows(role, permission)}`);
    it.each(tried)("lets a person who is %s do what the table says", async (role) => {
      const browser = await browserOf(role);
      const answer = await (verb === "GET"
        ? browser.open(addressOf(path))
        : browser.submit(addressOf(path), { name: "A name" }));
      const page = await answer.text();
      const isRefused = new RegExp(`${role}s can.{1,6}t .* Ask an owner for the role `, "i").test(page);
      // Where sign-up is closed, only an owner has a workspace beside another.
      const isOwners = verb === "POST" && path === "/workspaces/new" && role !== "owner";
      expect([isRefused, answer.status === 403]).toEqual(
        allows(role, permission) ? [false, isOwners] : [true, true],
      );
    });
  },
);

it("lets viewers submit no form but those of their account, of printing and of their own saved lists", () => {
  const forms = routes.filter(([verb, , permission]) => verb === "POST" && allows("viewer", permission));
  const others = forms.filter(([, , permission]) => permission !== "account");
  expect(others.map(([, path]) => path)).toEqual([
    "/prints/:id/cancel",
    "/prints/:id/remove",
    // The domain refuses changes of the workspace's.
    "/lists/new",
    "/lists/:id/edit",
    "/lists/:id/save",
    "/lists/:id/delete",
    "/lists/:id/restore",
    "/print",
    "/print/images",
  ]);
});
