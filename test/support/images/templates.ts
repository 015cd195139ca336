import { env } from "cloudflare:workers";
import { type Template, TemplateList } from "../../../src/contract/resources/images/templates.ts";
import { fieldsOf, pageAt, type SignedInBrowser } from "../dashboard.ts";

export const templatesPath = "/dashboard/templates";

/** The values of a form with files. */
export type FormValues = Record<string, string | Uint8Array<ArrayBuffer>>;

/** The form of a new template as it is first shown, which is the same for all workspaces that can have templates. */
let newForm: Readonly<Record<string, string>> | undefined;

/** Submits the form of a new template with these values. */
export async function submitTemplate(
  { browser, client }: SignedInBrowser,
  values: FormValues,
): Promise<Response> {
  const path = `${templatesPath}/new`;
  newForm ??= fieldsOf(await pageAt(browser, path));
  return browser.upload(path, { ...newForm, workspaceId: client.workspaceId, ...values });
}

/** Returns the workspace's templates. */
export async function templatesOf({ browser }: SignedInBrowser): Promise<Template[]> {
  const answer = await browser.open("/api/v1/developer/templates");
  return TemplateList.parse(await answer.json()).templates;
}

/** Returns the workspace's only template. */
export async function onlyTemplate(me: SignedInBrowser): Promise<Template> {
  const [template, ...others] = await templatesOf(me);
  if (template === undefined || others.length > 0) throw new Error("there is not one template");
  return template;
}

/** Returns the ids of the workspace's logos. */
export async function logosOf({ client }: SignedInBrowser): Promise<string[]> {
  const rows = env.DB.prepare("SELECT id FROM logos WHERE workspace_id = ?").bind(client.workspaceId);
  return (await rows.all<{ id: string }>()).results.map(({ id }) => id);
}
