import { beforeEach, describe, expect, it } from "vitest";
import { CreatedWebhook } from "../../src/contract/resources/webhooks/webhooks.ts";
import { expectError } from "../support/endpoints.ts";
import { fillIn, formToken, makePage, type PageMaker, sendForm } from "../support/hosted-pages.ts";
import { verify, WebhookHarness } from "../support/webhooks.ts";

const form = { form: { fields: [{ type: "email", name: "email", label: "Email", required: true }] } };

let harness: WebhookHarness;
let maker: PageMaker;

beforeEach(async () => {
  harness = await new WebhookHarness({
    submissionLimit: { limit: async () => ({ success: true }) },
  }).createWorkspace();
  maker = { client: harness.client, session: await harness.service.sessionIn(harness.client.workspaceId) };
});

describe("page.submitted", () => {
  it("is sent once for each submission, signed, with the entered fields", async () => {
    const { secret } = await harness.createWebhook({ events: ["page.submitted"] });
    const page = await makePage(maker, form);
    const values = { _form: await formToken(harness.service, page), email: "ada@example.com" };
    await Promise.all([1, 2, 3].map(() => sendForm(harness.service, page, values)));
    await sendForm(harness.service, page, { email: "" });
    await harness.runQueue();
    expect(harness.received).toHaveLength(1);
    for (const post of harness.received) {
      expect(post.headers.get("x-service-event")).toBe("page.submitted");
      const { data } = JSON.parse((await verify(post, secret)) && post.body) as { data: object };
      const { items } = await maker.session
        .send("GET", `/developer/pages/${page.id}/submissions`)
        .then((response) => response.json() as Promise<{ items: { id: string; submittedAt: string }[] }>);
      expect(data).toEqual({
        pageId: page.id,
        submissionId: items[0]?.id,
        submittedAt: items[0]?.submittedAt,
        fields: { email: "ada@example.com" },
      });
    }
  });

  it("is sent to a webhook limited to its page, and not to one limited to another", async () => {
    const [page, other] = [await makePage(maker, form), await makePage(maker, form)];
    const register = (scopePageId: string, host: string) =>
      maker.session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", {
        url: `https://${host}.example.com/`,
        events: ["page.submitted", "qr.created"],
        scopePageId,
      });
    expect(await register(page.id, "mine")).toMatchObject({ scopePageId: page.id, scopeQrId: null });
    await register(other.id, "other");
    await harness.client.createQr();
    await fillIn(harness.service, page, { email: "ada@example.com" });
    await harness.runQueue();
    expect(harness.received.map(({ url }) => url)).toEqual(["https://mine.example.com/"]);
  });

  it("can't be asked for of a page of another workspace, or of one that is deleted", async () => {
    const strangers = new WebhookHarness();
    await strangers.createWorkspace();
    const session = await strangers.service.sessionIn(strangers.client.workspaceId);
    const theirs = await makePage({ client: strangers.client, session });
    const gone = await makePage(maker);
    await maker.session.send("DELETE", `/developer/pages/${gone.id}`);
    for (const scopePageId of [theirs.id, gone.id, "x"]) {
      const body = { url: "https://example.com/", events: ["page.submitted"], scopePageId };
      const refused = await maker.session.send("POST", "/developer/webhooks", body);
      expect(await expectError(refused, 400, "invalid_input")).toBe(
        "scopePageId isn't a page of this workspace.",
      );
    }
  });
});
