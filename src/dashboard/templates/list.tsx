import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Template } from "../../contract/resources/images/templates.ts";
import { may } from "../../domain/context/permissions.ts";
import { getTemplateSample } from "../../domain/designing/preview.ts";
import {
  getTemplate,
  listTemplates,
  deleteTemplate as remove,
  restoreTemplate as restore,
} from "../../domain/templates/templates.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuLinks } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { brandPath } from "../brand/addresses.ts";
import { change } from "../frame/change.ts";
import { confirmPage } from "../frame/form-page.tsx";
import { May } from "../frame/may.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { Answer, DashboardRequest, PageResponse } from "../frame/request.ts";

const path = "/dashboard/templates";

/** The workspace's templates, each with a sample code in its design. */
export async function templateList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const { templates } = await listTemplates(deps, context);
  const { fullDesign, title, templates: cap } = plans[context.plan];
  const isFull = fullDesign && templates.length >= cap;
  return {
    title: "Templates",
    content: (
      <>
        <Head title="Templates">
          <May permission="settings">
            <a class="button" href={brandPath}>
              Brand
            </a>
          </May>
          {fullDesign && !isFull && templates.length > 0 && <NewTemplate />}
        </Head>
        {!fullDesign && <TemplatesLacking request={request} />}
        {isFull && (
          <Notice kind="warn">
            <p>
              Your {title} plan allows {cap} templates, and all are in use. Delete some to create others.
            </p>
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </Notice>
        )}
        {templates.length > 0 ? (
          <ul class="plain templates">
            {templates.map((template) => (
              <TemplateCard template={template} isUsable={fullDesign} canEdit={may(context, "codes.write")} />
            ))}
            {fullDesign && !isFull && (
              <May permission="codes.write">
                <li>
                  <a class="sample add" href={`${path}/new`}>
                    <span class="room">
                      <Icon name="plus" size={20} />
                    </span>
                    <span>Add another</span>
                  </a>
                </li>
              </May>
            )}
          </ul>
        ) : (
          <Empty
            title="No templates yet"
            text="A template is a design with a name: colours, shape and logo. Choose it in the form of a code, and all your codes look alike."
          >
            {fullDesign && <NewTemplate />}
          </Empty>
        )}
      </>
    ),
  };
}

/** Says that the plan doesn't include templates. */
export const TemplatesLacking = ({ request: { context, deps } }: { request: DashboardRequest }) => (
  <Notice kind="info">
    <p>Your {plans[context.plan].title} plan doesn't include templates.</p>
    <UpgradeLink url={deps.settings.upgradeUrl} />
  </Notice>
);

const NewTemplate = () => (
  <May permission="codes.write">
    <a class="button primary" href={`${path}/new`}>
      New template
    </a>
  </May>
);

interface CardProps {
  readonly template: Template;
  readonly isUsable: boolean;
  readonly canEdit: boolean;
}

function TemplateCard({ template, isUsable, canEdit }: CardProps) {
  const { id, name } = template;
  return (
    <li>
      <a
        class="sample"
        href={canEdit ? `${path}/${id}/edit` : `${path}/${id}/image`}
        hx-boost={canEdit ? undefined : "false"}
      >
        <img src={`${path}/${id}/image`} alt="" width="192" height="192" loading="lazy" />
        <span dir="auto">{name}</span>
      </a>
      <div class="below-sample">
        <p class="small quiet">{describe(template)}</p>
        <May permission="codes.write">
          <Menu label="More actions" icon="ellipsis" button="button plain">
            <MenuLinks
              items={[
                isUsable && ["New code", "plus", `/dashboard/codes/new?templateId=${id}`],
                ["Edit", "pencil", `${path}/${id}/edit`],
                "divider",
                ["Delete", "trash", `${path}/${id}/delete`],
              ]}
            />
          </Menu>
        </May>
      </div>
    </li>
  );
}

/** The settings of a template, in few words. */
function describe({ colorConfig, shape, advanced, logo }: Template): string {
  const { modules, eyeFrame, eyeCenter, gradient, eyeGradient, frame } = advanced ?? {};
  const parts = [
    colorConfig === null ? [] : "colours",
    modules ?? (shape === null ? [] : shape === "circle" ? "dots" : "squares"),
    (eyeFrame ?? eyeCenter) === undefined ? [] : "eyes",
    (gradient ?? eyeGradient) === undefined ? [] : "gradient",
    frame === undefined ? [] : "frame",
    logo === null ? [] : "logo",
  ].flat();
  const text = parts.join(", ");
  return text === "" ? "The standard design" : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a template's sample code as a file. @throws not_found */
export async function templateImage({ deps, context, param }: DashboardRequest): Promise<Response> {
  const file = await getTemplateSample(deps, context, param("id"));
  return new Response(await file.draw(), {
    headers: { ...fileHeaders(file), "content-type": file.mediaType, "cache-control": "no-store" },
  });
}

/** Asks whether to delete a template. @throws not_found */
export const confirmTemplateDeletion: Answer = async ({ deps, context, param }) => {
  const { name } = await getTemplate(deps, context, param("id"));
  const back = { path, name: "Templates" };
  return confirmPage(
    { title: `Delete template ${name}?`, action: "Delete template", back },
    <>
      <p>
        <strong>Codes it was applied to keep their design.</strong> It can no longer be chosen for others.
      </p>
      <p>You can restore it from the bin for {limits.deletedDays} days.</p>
    </>,
  );
};

export const deleteTemplate = change(remove, path, "templateDeleted");
export const restoreTemplate = change(restore, path, "templateRestored");
