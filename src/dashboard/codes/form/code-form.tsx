import { PostForm } from "../../../ui/forms/post-form.tsx";
import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { limits } from "../../../contract/limits.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { WordsField } from "../../../ui/forms/combobox.tsx";
import { brandPath } from "../../brand/addresses.ts";
import { Select, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { DefaultSubmit } from "../../../ui/forms/buttons.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { folderSource, tagSuggestions } from "../../choices/sources.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { Designer } from "../../design/designer.tsx";
import { Preview, type PreviewState } from "../../design/preview.tsx";
import { labelsOf } from "./fields.ts";
import { previewRequests } from "./preview.tsx";
import type { FormChoices } from "./choices.ts";
import { Aliases, DomainField, hasAddresses, ShortName } from "./addresses.tsx";
import { LifeSpan, OwnId } from "./rows.tsx";
import { CampaignOfType, DataOfType, TypeTiles } from "./type-parts.tsx";
import { May } from "../../frame/may.tsx";

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

/** The form of a new or existing code. Submitted to its own address. */
export function CodeForm({ request, form, type, choices, timeZone, preview, edited }: Props) {
  const id = edited?.qr.id;
  const plan: PlanLimits = plans[request.context.plan];
  const { scanOrigin } = request.deps.settings;
  const { domains } = choices;
  const hasDomain = hasAddresses(form, domains);
  const isNew = edited === undefined;
  const hasShortName = isNew && plan.chosenShortName;
  const domain = <DomainField form={form} domains={domains} scanOrigin={scanOrigin} isNew={isNew} />;
  return (
    <PostForm class="beside-preview" novalidate data-draft="redraw">
      <DefaultSubmit />
      <div>
        <Problems form={form} labels={labelsOf(type)} />
        {edited === undefined ? (
          <>
            <TypeTiles type={type} plan={plan} />
            <input type="hidden" name="key" value={form.values.get("key") ?? crypto.randomUUID()} />
          </>
        ) : (
          <input type="hidden" name="version" value={versionOf(form, edited)} />
        )}
        <DataOfType request={request} form={form} type={type} pages={choices.pages} />
        <div class="pair">
          <TextField
            form={form}
            name="name"
            label={qrFields.name.label}
            hint="Only your team sees it"
            maxLength={limits.name}
          />
          {edited !== undefined && (
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
          {hasShortName && !hasDomain && <ShortName form={form} scanOrigin={scanOrigin} />}
          {hasDomain && !hasShortName && domain}
          {choices.folders.items.length > 0 && (
            <SearchedSelect
              source={folderSource}
              form={form}
              label={qrFields.folderId.label}
              others={[["", "None"]]}
              choices={choices.folders}
            />
          )}
          <WordsField form={form} name="tags" label={qrFields.tags.label} source={tagSuggestions} />
        </div>
        {hasDomain && hasShortName && (
          <div class="pair">
            {domain}
            <ShortName form={form} scanOrigin={scanOrigin} />
          </div>
        )}
        <Design
          request={request}
          form={form}
          choices={choices}
          address={id === undefined ? "/dashboard/codes/new" : `/dashboard/codes/${id}/edit`}
        />
        <LifeSpan form={form} timeZone={timeZone} />
        {hasDomain && <Aliases form={form} domains={domains} />}
        <OwnId form={form} />
        <CampaignOfType form={form} type={type} />
        {isNew && (
          <p class="only-phone">
            <AddAnother />
          </p>
        )}
      </div>
      <Preview
        state={preview}
        note={id === undefined ? "A preview. It scans once created." : "Save to apply the design."}
        requests={previewRequests(edited)}
      >
        <button class="button primary" type="submit">
          {id === undefined ? "Create code" : "Save changes"}
        </button>
        {id === undefined ? (
          <AddAnother />
        ) : (
          <a class="button plain" href={`/dashboard/codes/${id}`}>
            Cancel
          </a>
        )}
      </Preview>
    </PostForm>
  );
}

const AddAnother = () => (
  <button class="button plain" type="submit" name="next" value="another">
    Create and add another
  </button>
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
}

/** How the code looks. The preview beside the form follows these fields. */
function Design({ request: { context, deps }, form, choices, address }: DesignProps) {
  const { templates, logos, colors } = choices;
  const plan: PlanLimits = plans[context.plan];
  const chosen = form.values.get("templateId") ?? "";
  const isGone = chosen !== "" && !templates.some(([id]) => id === chosen);
  return (
    <section id="design" aria-labelledby="advanced">
      <div class="design-head">
        <h2 id="advanced">Design</h2>
        {plan.fullDesign && (templates.length > 0 || isGone) && (
          <TemplateChoice
            form={form}
            address={address}
            templates={[...templates, ...(isGone ? [[chosen, "A deleted template"] as const] : [])]}
          />
        )}
      </div>
      <Designer form={form} plan={plan} upgradeUrl={deps.settings.upgradeUrl} logos={logos} colors={colors}>
        {plan.fullDesign && (
          <May permission="settings">
            <p class="hint">
              Add logos and colours to your <a href={brandPath}>brand</a>.
            </p>
          </May>
        )}
      </Designer>
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
