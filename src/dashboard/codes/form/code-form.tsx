import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { limits } from "../../../contract/limits.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { qrFields } from "../../../contract/resources/qr-fields.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { WordsField } from "../../components/forms/combobox.tsx";
import { Select, TextField } from "../../components/forms/field.tsx";
import type { FormState } from "../../components/forms/form.ts";
import { Problems } from "../../components/forms/problems.tsx";
import { folderSource, tagSuggestions } from "../../choices/sources.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { DesignFields } from "../../design/design-fields.tsx";
import { Preview, type PreviewState } from "../../design/preview.tsx";
import { labelsOf } from "./fields.ts";
import type { FormChoices } from "./choices.ts";
import { LifeSpan, ShortName } from "./rows.tsx";
import { CampaignOfType, DataOfType, TypeTiles } from "./type-parts.tsx";

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
  return (
    <form class="beside-preview" method="post" novalidate>
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
            hint="Visitors don't see it"
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
          {edited === undefined && plan.chosenShortName && (
            <ShortName form={form} scanOrigin={request.deps.settings.scanOrigin} />
          )}
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
        <Design form={form} plan={plan} templates={choices.templates} />
        <LifeSpan form={form} timeZone={timeZone} />
        <CampaignOfType form={form} type={type} />
        {edited === undefined && (
          <p class="only-phone">
            <AddAnother />
          </p>
        )}
      </div>
      <Preview
        state={preview}
        note={id === undefined ? "It can be scanned once it is created." : "Save to apply the design."}
        request={{
          "hx-get": `/dashboard/codes/preview${id === undefined ? "" : `?id=${id}`}`,
          "hx-include": "#design",
        }}
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
    </form>
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

/** Without scripts, the Enter key presses a form's first button, which must be the one that saves. */
const DefaultSubmit = () => (
  <noscript>
    <button class="visually-hidden" type="submit" tabindex={-1}>
      Save
    </button>
  </noscript>
);

interface DesignProps {
  readonly form: FormState;
  readonly plan: PlanLimits;
  readonly templates: FormChoices["templates"];
}

/** How the code looks. The preview beside the form follows these fields. */
function Design({ form, plan, templates }: DesignProps) {
  const chosen = form.values.get("templateId") ?? "";
  const isGone = chosen !== "" && !templates.some(([id]) => id === chosen);
  return (
    <section id="design" aria-labelledby="design-title">
      <h2 id="design-title">Design</h2>
      {plan.fullDesign && (templates.length > 0 || isGone) && (
        <Select
          form={form}
          name="templateId"
          label={qrFields.templateId.label}
          hint="Its colours, shape and logo are applied when you save."
          choices={[["", "None"], ...templates, ...(isGone ? [[chosen, "A deleted template"] as const] : [])]}
        />
      )}
      <DesignFields form={form} plan={plan} hasTemplates={templates.length > 0} />
    </section>
  );
}
