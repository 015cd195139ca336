import { limits } from "../../contract/limits.ts";
import { WorkspaceInput } from "../../contract/resources/identity/workspace.ts";
import type { BrandLogo } from "../../contract/resources/images/brand.ts";
import { logosOfBrand } from "../../domain/brand/brand.ts";
import { may } from "../../domain/context/permissions.ts";
import { updateWorkspace } from "../../domain/workspaces/workspace.ts";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Tiles } from "../../ui/forms/tiles.tsx";
import { CopyField } from "../../ui/values/copy-field.tsx";
import { WorkspaceLogo, workspaceLogoAddress } from "../../ui/values/workspace-logo.tsx";
import { brandPath, logoAddress } from "../brand/addresses.ts";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { SettingsPage, settingsPath } from "../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { DangerZone } from "./workspace-deletion.tsx";

/** The workspace's name, logo and id. */
export const generalSettings = (request: DashboardRequest): Promise<PageResponse> => {
  const { workspaceName, logoId } = request.user;
  return show(request, new URLSearchParams({ name: workspaceName, logoId: logoId ?? "" }));
};

/** Changes the workspace's name and logo; shows the form again if that fails. */
export async function saveGeneralSettings(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const logoId = form.get("logoId");
  const outcome = await submitForm(
    WorkspaceInput,
    { name: form.get("name") ?? "", logoId: logoId === "" ? null : (logoId ?? undefined) },
    (input) => updateWorkspace(deps, context, input),
  );
  if ("rejection" in outcome) return show(request, form, outcome.rejection);
  return { seeOther: settingsPath, flash: "settings" };
}

async function show(
  request: DashboardRequest,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { deps, context, user } = request;
  const isOwner = may(context, "workspace");
  const logos = isOwner ? await logosOfBrand(deps, context) : [];
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  return formPage(
    "Settings",
    rejection,
    <SettingsPage request={request} title="Settings">
      <section class="card" aria-labelledby="workspace">
        <h2 id="workspace">Workspace</h2>
        {isOwner ? (
          <PostForm novalidate>
            <Problems form={form} labels={{ name: "Name", logoId: "Logo" }} />
            <TextField
              form={form}
              name="name"
              label="Name"
              hint="Members see it in the dashboard, readers on shared reports."
              maxLength={limits.workspaceName}
              required
            />
            <Logos form={form} logos={logos} />
            <button class="button primary" type="submit">
              Save changes
            </button>
          </PostForm>
        ) : (
          <p class="with-avatar">
            <WorkspaceLogo
              name={user.workspaceName}
              logo={workspaceLogoAddress(context.workspaceId, user.logoId)}
            />
            {user.workspaceName}
          </p>
        )}
      </section>
      <section class="card" aria-labelledby="identity">
        <h2 id="identity">Workspace ID</h2>
        <p>
          Support asks for this ID. API calls with your own sign-in name it in <code>X-Workspace</code>.
        </p>
        <CopyField label="ID" value={context.workspaceId} />
      </section>
      <DangerZone request={request} />
    </SettingsPage>,
  );
}

/** The brand's logos, of which one can stand beside the name. */
const Logos = ({ form, logos }: { form: FormState; logos: readonly BrandLogo[] }) =>
  logos.length === 0 ? (
    <p class="small quiet">
      To show a logo beside the name, <a href={brandPath}>add one to the brand</a>.
    </p>
  ) : (
    <Tiles
      form={form}
      name="logoId"
      label="Logo"
      chosen={form.values.get("logoId") ?? ""}
      tiles={[
        { value: "", text: "None", picture: <span class="logo none" /> },
        ...logos.map((logo) => ({
          value: logo.id,
          text: logo.name,
          picture: (
            <span class="logo">
              <img src={logoAddress(logo)} alt="" width="40" height="40" loading="lazy" />
            </span>
          ),
        })),
      ]}
    />
  );
