import { limits } from "../../../contract/limits.ts";
import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { maxLogoBytes } from "../../../domain/logos/files.ts";
import { DefaultSubmit } from "../../../ui/forms/buttons.tsx";
import { Select, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { brandPath } from "../../brand/addresses.ts";
import { LogoUpload } from "../../brand/logo-upload.tsx";
import { Designer } from "../../design/designer.tsx";
import { designLabels } from "../../design/fields.ts";
import { Looks } from "../../design/looks.tsx";
import { Preview, type PreviewState } from "../../design/preview.tsx";
import { ProofOfDesign } from "../../design/proof-strip.tsx";
import { May } from "../../frame/may.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { PageScript } from "../../page-scripts/page-scripts.tsx";
import { Aliases, DomainRow, hasAddresses, ShortName } from "./addresses.tsx";
import type { FormChoices } from "./choices.ts";
import { labelsOf } from "./fields.ts";
import { lookAddress, lookRequest, previewRequests } from "./preview.tsx";
import { LifeSpan, OwnId, Place } from "./rows.tsx";
import { CampaignOfType, DataOfType, TopField, TypeTiles } from "./type-parts.tsx";

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly type: QrType;
  readonly choices: FormChoices;
  /** The time zone of the times entered, an IANA name. */
  readonly timeZone: string;
  readonly preview: PreviewState;
  /** The code being edited; undefined for a new one. */
  readonly edited?: VersionedQr;
}

/** The form of a new or existing code: where it leads, its look, and a line for each of the rest. */
export function CodeForm({ request, form, type, choices, timeZone, preview, edited }: Props) {
  const plan: PlanLimits = plans[request.context.plan];
  const { scanOrigin } = request.deps.settings;
  const { domains, pages } = choices;
  const isNew = edited === undefined;
  const path = isNew ? "/dashboard/codes/new" : `/dashboard/codes/${edited.qr.id}/edit`;
  return (
    <PostForm class="beside-preview code-form" action={path} novalidate data-draft="redraw">
      <DefaultSubmit />
      <PageScript name="code-form.js" />
      <div>
        <Problems form={form} labels={labelsOf(type)} />
        <TopField form={form} type={type} plan={plan} pages={pages} isNew={isNew} />
        {isNew ? (
          <>
            <TypeTiles type={type} plan={plan} isChosen={request.query.has("type")} />
            <input type="hidden" name="key" value={form.values.get("key") ?? crypto.randomUUID()} />
          </>
        ) : (
          <input type="hidden" name="version" value={versionOf(form, edited)} />
        )}
        <DataOfType request={request} form={form} type={type} pages={pages} />
        <Design request={request} form={form} choices={choices} address={path} edited={edited} />
        <ProofOfDesign request={previewRequests(edited).proof} />
        <div class="pair">
          <TextField
            form={form}
            name="name"
            label={qrFields.name.label}
            hint="Only your team sees it"
            maxLength={limits.name}
          />
          {!isNew && (
            <Select
              form={form}
              name="status"
              label={qrFields.status.label}
              required
              choices={[
                ["active", "Active"],
                ["paused", "Paused"],
              ]}
            />
          )}
          {isNew && plan.chosenShortName && <ShortName form={form} scanOrigin={scanOrigin} />}
        </div>
        <div class="rows">
          <Place form={form} folders={choices.folders} />
          {hasAddresses(form, domains) && (
            <>
              <DomainRow form={form} domains={domains} scanOrigin={scanOrigin} isNew={isNew} />
              <Aliases form={form} domains={domains} />
            </>
          )}
          <LifeSpan form={form} timeZone={timeZone} />
          <CampaignOfType form={form} type={type} />
          <OwnId form={form} />
        </div>
        {isNew && (
          <p class="only-phone">
            <OtherWays />
          </p>
        )}
      </div>
      <Preview
        state={preview}
        note={isNew ? "Preview only. It works once you create the code." : "Not saved yet."}
        requests={previewRequests(edited)}
      >
        {isNew ? (
          <>
            <button class="button primary" type="submit" name="next" value="download">
              Create and download
            </button>
            <OtherWays />
          </>
        ) : (
          <>
            <button class="button primary" type="submit">
              Save changes
            </button>
            <a class="button plain" href={`/dashboard/codes/${edited.qr.id}`}>
              Cancel
            </a>
          </>
        )}
      </Preview>
    </PostForm>
  );
}

const OtherWays = () => (
  <span class="pair-of-buttons">
    <button class="button plain" type="submit">
      Create code
    </button>
    <button class="button plain" type="submit" name="next" value="another">
      Create and add another
    </button>
  </span>
);

/** The version that the entries are compared with: the latest, unless the form is only redrawn. */
const versionOf = ({ values }: FormState, { version }: VersionedQr): string =>
  (values.has("change") ? values.get("version") : null) ?? String(version);

interface DesignProps {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly choices: FormChoices;
  /** The address of the form. */
  readonly address: string;
  readonly edited: VersionedQr | undefined;
}

/** How the code looks: whole looks to choose from, a logo, and every option on demand. The preview follows these fields. */
function Design({ request, form, choices, address, edited }: DesignProps) {
  const { context, deps } = request;
  const { templates, logos, colors, looks } = choices;
  const plan: PlanLimits = plans[context.plan];
  const chosen = form.values.get("templateId") ?? "";
  const isGone = chosen !== "" && !templates.some(([id]) => id === chosen);
  const isOpen =
    request.form.get("change") === "template" ||
    Object.keys(form.problems).some((name) => Object.hasOwn(designLabels, name));
  const query = edited === undefined ? "" : `?id=${edited.qr.id}`;
  return (
    <section id="design" aria-label="Design">
      <Looks
        form={form.values}
        looks={looks}
        picture={(values) => lookAddress(edited, form.values, values)}
        score={(values) => lookRequest(edited, values)}
      />
      {plan.fullDesign && (
        <May permission="settings">
          <div
            class="drop-line"
            hx-post={`/dashboard/codes/logo${query}`}
            hx-encoding="multipart/form-data"
            hx-include="closest form"
            hx-trigger="change"
            hx-target="#design"
            hx-select="#design > *"
            hx-swap="innerHTML"
          >
            <LogoUpload form={form} maxBytes={maxLogoBytes(deps)} />
            <noscript>
              <button
                class="button"
                type="submit"
                formaction={`/dashboard/codes/logo${query}`}
                formenctype="multipart/form-data"
              >
                Use this logo
              </button>
            </noscript>
          </div>
        </May>
      )}
      <details class="more" open={isOpen}>
        <summary>
          Customise{" "}
          <span class="quiet">
            {plan.fullDesign ? "Modules, eyes, frame, colours, logo" : "Modules, colours"}
          </span>
        </summary>
        <div>
          {plan.fullDesign && (templates.length > 0 || isGone) && (
            <TemplateChoice
              form={form}
              address={address}
              templates={[...templates, ...(isGone ? [[chosen, "A deleted template"] as const] : [])]}
            />
          )}
          <Designer
            form={form}
            plan={plan}
            upgradeUrl={deps.settings.upgradeUrl}
            logos={logos}
            colors={colors}
            hasLooks
          >
            {plan.fullDesign && (
              <May permission="settings">
                <p class="hint">
                  Add logos and colours to your <a href={brandPath}>brand</a>.
                </p>
              </May>
            )}
          </Designer>
        </div>
      </details>
    </section>
  );
}

interface TemplateProps {
  readonly form: FormState;
  readonly address: string;
  readonly templates: FormChoices["templates"];
}

/** A template, which fills in the options below it. */
const TemplateChoice = ({ form, address, templates }: TemplateProps) => (
  <div
    class="template-choice"
    hx-post={address}
    hx-trigger="change"
    hx-vals='{"change":"template"}'
    hx-target="#design"
    hx-select="#design > *"
    hx-swap="innerHTML"
  >
    <Select
      form={form}
      name="templateId"
      label={qrFields.templateId.label}
      hint="Fills in the options below. You can still change them."
      choices={[["", "None"], ...templates]}
    />
    <input type="hidden" name="applied" value={form.values.get("applied") ?? ""} />
    <noscript>
      <button class="button" type="submit" name="change" value="template">
        Apply template
      </button>
    </noscript>
  </div>
);
