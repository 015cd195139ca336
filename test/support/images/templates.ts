import { env } from "cloudflare:workers";
import { type Template, TemplateList } from "../../../src/contract/resources/images/templates.ts";
import { fieldsOf, pageAt, type SignedInBrowser } from "../dashboard.ts";
import type { Service } from "../service.ts";

export const templatesPath = "/dashboard/templates";

/** The values of a form with files. */
export type FormValues = Record<string, string | Uint8Array<ArrayBuffer>>;

/** Submits the form of a new template with these values. */
export async function submitTemplate({ browser }: SignedInBrowser, values: FormValues): Promise<Response> {
  const path = `${templatesPath}/new`;
  return browser.upload(path, { ...fieldsOf(await pageAt(browser, path)), ...values });
}

/** Returns the workspace's templates. */
export async function templatesOf(service: Service, { client }: SignedInBrowser): Promise<Template[]> {
  const session = await service.sessionIn(client.workspaceId);
  return (await session.expect(200, TemplateList, "GET", "/developer/templates")).templates;
}

/** Returns the workspace's only template. */
export async function onlyTemplate(service: Service, me: SignedInBrowser): Promise<Template> {
  const [template, ...others] = await templatesOf(service, me);
  if (template === undefined || others.length > 0) throw new Error("there is not one template");
  return template;
}

/** Returns the ids of the workspace's logos. */
export async function logosOf({ client }: SignedInBrowser): Promise<string[]> {
  const rows = env.DB.prepare("SELECT id FROM logos WHERE workspace_id = ?").bind(client.workspaceId);
  return (await rows.all<{ id: string }>()).results.map(({ id }) => id);
}
