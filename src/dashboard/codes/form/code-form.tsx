import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { limits } from "../../../contract/limits.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { qrFields } from "../../../contract/resources/qr-fields.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { Select, TextArea, TextField } from "../../components/forms/field.tsx";
import type { FormState } from "../../components/forms/form.ts";
import { Problems } from "../../components/forms/problems.tsx";
import { folderSource, pageSource } from "../../choices/sources.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { type DataField, dataFields } from "./data-fields.ts";
import { DesignFields, isDesigned } from "../../design/design-fields.tsx";
import { Preview, type PreviewState } from "../../design/preview.tsx";
import { hasUtm, labelsOf, utmFields } from "./fields.ts";
import type { FormChoices } from "./choices.ts";

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly type: QrType;
  readonly choices: FormChoices;
  /** Of the times that are entered, an IANA name. */
  readonly timeZone: string;
  readonly preview: PreviewState;
  /** The code that is edited; undefined for a new one. */
  readonly edited?: VersionedQr;
}

/** The form of a code, new or not. It is submitted to its own address. */
export function CodeForm({ request, form, type, choices, timeZone, preview, edited }: Props) {
  const id = edited?.qr.id;
  const plan: PlanLimits = plans[request.context.plan];
  return (
    <form method="post" novalidate>
      <Problems form={form} labels={labelsOf(type)} />
      {edited === undefined ? (
        <>
          <input type="hidden" name="type" value={type} />
          <input type="hidden" name="key" value={form.values.get("key") ?? crypto.randomUUID()} />
        </>
      ) : (
        <input type="hidden" name="version" value={edited.version} />
      )}
      <div class="columns wide-left">
        <div>
          {dataFields[type].map((field) => (
            <DataFieldControl field={field} form={form} pages={choices.pages} />
          ))}
          <TextField
            form={form}
            name="name"
            label={qrFields.name.label}
            hint="What you call the code. Visitors don't see it."
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
          <Organisation form={form} choices={choices} />
          <Design form={form} plan={plan} templates={choices.templates} />
          <LifeSpan form={form} timeZone={timeZone} />
          {hasUtm(type) && <Campaign form={form} />}
          {id === undefined && plan.chosenShortName && (
            <ShortName form={form} scanOrigin={request.deps.settings.scanOrigin} />
          )}
          <div class="buttons">
            <button class="button primary" type="submit">
              {id === undefined ? "Create code" : "Save changes"}
            </button>
            {id === undefined && (
              <button class="button" type="submit" name="next" value="another">
                Create and add another
              </button>
            )}
            <a class="button" href={id === undefined ? "/dashboard/codes" : `/dashboard/codes/${id}`}>
              Cancel
            </a>
          </div>
        </div>
        <Preview
          state={preview}
          note={id === undefined ? "A preview: it can't be scanned yet." : "A preview: save to apply it."}
          request={{
            "hx-get": `/dashboard/codes/preview${id === undefined ? "" : `?id=${id}`}`,
            "hx-include": "#design",
          }}
        />
      </div>
    </form>
  );
}

const inputTypes = {
  text: { type: "text" },
  address: { type: "text", inputMode: "url" },
  email: { type: "email" },
  phone: { type: "tel" },
  number: { type: "text", inputMode: "decimal" },
} as const;

function DataFieldControl({
  field,
  form,
  pages,
}: {
  field: DataField;
  form: FormState;
  pages: FormChoices["pages"];
}) {
  const { kind, ...texts } = field;
  switch (kind) {
    case "paragraph":
      return <TextArea form={form} {...texts} rows={4} />;
    case "lines":
      return <TextArea form={form} {...texts} rows={2} />;
    case "page":
      return (
        <SearchedSelect
          source={pageSource}
          form={form}
          label={texts.label}
          required={texts.required}
          others={[["", "Choose a page"]]}
          choices={pages}
        />
      );
    default:
      return <TextField form={form} {...texts} {...inputTypes[kind]} />;
  }
}

function Organisation({ form, choices }: { form: FormState; choices: FormChoices }) {
  return (
    <div class="pair">
      <TextField form={form} name="tags" label={qrFields.tags.label} hint="Separated by commas" />
      {choices.folders.items.length > 0 && (
        <SearchedSelect
          source={folderSource}
          form={form}
          label={qrFields.folderId.label}
          hint="One for each code"
          others={[["", "None"]]}
          choices={choices.folders}
        />
      )}
    </div>
  );
}

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
    <details class="more" id="design" open={isUsed(form, ["templateId"]) || isDesigned(form)}>
      <summary>
        Design <span class="quiet">colours and shape</span>
      </summary>
      <div>
        {plan.fullDesign && (templates.length > 0 || isGone) && (
          <Select
            form={form}
            name="templateId"
            label={qrFields.templateId.label}
            hint="Its colours, shape and logo are applied when you save."
            choices={[
              ["", "None"],
              ...templates,
              ...(isGone ? [[chosen, "A deleted template"] as const] : []),
            ]}
          />
        )}
        <DesignFields form={form} plan={plan} />
      </div>
    </details>
  );
}

function LifeSpan({ form, timeZone }: { form: FormState; timeZone: string }) {
  const fields = ["startsAt", "expiresAt", "fallbackUrl"];
  return (
    <details class="more" open={isUsed(form, fields)}>
      <summary>
        Start and end <span class="quiet">when the code works</span>
      </summary>
      <div>
        <p class="hint">Times are in {timeZone}.</p>
        <div class="pair">
          <TextField form={form} name="startsAt" label={qrFields.startsAt.label} type="datetime-local" />
          <TextField form={form} name="expiresAt" label={qrFields.expiresAt.label} type="datetime-local" />
        </div>
        <TextField
          form={form}
          name="fallbackUrl"
          label={qrFields.fallbackUrl.label}
          hint="Where scans lead before the start, after the end and while the code is paused. If it is empty, they see a page that says so."
          inputMode="url"
        />
      </div>
    </details>
  );
}

function Campaign({ form }: { form: FormState }) {
  return (
    <details
      class="more"
      open={isUsed(
        form,
        utmFields.map(({ path }) => path),
      )}
    >
      <summary>
        Campaign <span class="quiet">UTM parameters</span>
      </summary>
      <div>
        <p class="hint">Added to the address of every scan, for your own analytics.</p>
        <div class="pair">
          {utmFields.map(({ path, label }) => (
            <TextField form={form} name={path} label={label} maxLength={limits.utm} />
          ))}
        </div>
      </div>
    </details>
  );
}

function ShortName({ form, scanOrigin }: { form: FormState; scanOrigin: string }) {
  const { host } = new URL(scanOrigin);
  return (
    <details class="more" open={isUsed(form, ["hash"])}>
      <summary>
        Short name <span class="quiet">instead of a random one</span>
      </summary>
      <div>
        <TextField
          form={form}
          name="hash"
          label={qrFields.hash.label}
          hint={`The end of the address in the code, as in ${host}/summer-menu: 4 to 32 letters a–z, digits and hyphens. It can't be changed later.`}
          maxLength={32}
        />
      </div>
    </details>
  );
}

/** Whether one of the fields has a value or a problem. */
const isUsed = ({ values, problems }: FormState, names: readonly string[]): boolean =>
  names.some((name) => (values.get(name) ?? "") !== "" || Object.hasOwn(problems, name));
