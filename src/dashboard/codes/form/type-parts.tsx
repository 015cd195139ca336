import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { QrType, qrTypeNames } from "../../../contract/resources/enums.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import { pageSource } from "../../choices/sources.ts";
import { TextArea, TextField } from "../../../ui/forms/field.tsx";
import { type FormState, problemOf } from "../../../ui/forms/form.ts";
import { Tiles } from "../../../ui/forms/tiles.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { UpgradeLink } from "../../frame/notices.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import type { FormChoices } from "./choices.ts";
import { type DataField, dataFields } from "./data-fields.ts";
import { hasUtm, mapLinkField, utmFields } from "./fields.ts";
import { Campaign, PassedQuery } from "./rows.tsx";
import { typeTexts } from "./types.ts";

const includes = (plan: PlanLimits, type: QrType): boolean => plan.qrTypes.includes(type);

/**
 * The types as tiles. Choosing one submits the form, which then shows that type's fields and keeps all entries; scripts
 * replace only the parts that depend on the type.
 */
export const TypeTiles = ({ type, plan }: { type: QrType; plan: PlanLimits }) => (
  <>
    <Tiles
      name="type"
      label="Type"
      chosen={type}
      isLine
      tiles={QrType.options.map((each) => ({
        value: each,
        text: qrTypeNames[each].name,
        picture: <Icon name={typeTexts[each].icon} size={20} />,
        isLacking: !includes(plan, each),
      }))}
      request={{
        "hx-post": "/dashboard/codes/new",
        "hx-trigger": "change",
        "hx-vals": '{"change":"type"}',
        "hx-target": "#of-type",
        "hx-select": "#of-type",
        "hx-select-oob": "#campaign",
        "hx-swap": "outerHTML",
      }}
    />
    <noscript>
      <p>
        <button class="button" type="submit" name="change" value="type">
          Show the fields of this type
        </button>
      </p>
    </noscript>
  </>
);

interface DataProps {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly type: QrType;
  readonly pages: FormChoices["pages"];
}

/** The fields of a type, keeping what was entered for other types; or a note that the plan doesn't include the type. */
export function DataOfType({ request: { context, deps }, form, type, pages }: DataProps) {
  const plan: PlanLimits = plans[context.plan];
  const isLacking = !includes(plan, type);
  const shown = isLacking ? [] : dataFields[type];
  const frequent = shown.filter(({ rare }) => rare !== true);
  const rare = shown.filter((field) => field.rare === true);
  const isUsed = rare.some(({ name }) => form.values.get(name) || problemOf(form, name) !== undefined);
  return (
    <div id="of-type" data-place={type === "location" ? "" : undefined}>
      <Carried form={form} names={allNames.filter((name) => !shown.some((field) => field.name === name))} />
      {isLacking ? (
        <Notice kind="info">
          <p>
            Your {plan.title} plan doesn't include {qrTypeNames[type].inText} codes.{" "}
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </p>
        </Notice>
      ) : (
        <p class="quiet small">{typeTexts[type].effect}</p>
      )}
      {type === "location" && !isLacking && (
        <TextField
          form={form}
          name={mapLinkField}
          label="Map link"
          hint="Paste a link from Google Maps, Apple Maps or OpenStreetMap to fill in the place."
          inputMode="url"
        />
      )}
      <div class="pair">
        {frequent.map((field) => (
          <DataFieldControl field={field} form={form} pages={pages} />
        ))}
      </div>
      {rare.length > 0 && (
        <details class="more" open={isUsed}>
          <summary>More fields</summary>
          <div class="pair">
            {rare.map((field) => (
              <DataFieldControl field={field} form={form} pages={pages} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

const allNames = [...new Set(QrType.options.flatMap((type) => dataFields[type].map(({ name }) => name)))];

/** Campaign parameters and the query of scans, for types that have an address to add them to. */
export const CampaignOfType = ({ form, type }: { form: FormState; type: QrType }) => (
  <div id="campaign">
    {hasUtm(type) ? (
      <>
        <Campaign form={form} />
        <PassedQuery form={form} />
      </>
    ) : (
      <Carried form={form} names={[...utmFields.map(({ path }) => path), "query"]} />
    )}
  </div>
);

/** Entries for which the type has no fields. They return when the type is changed back. */
const Carried = ({ form, names }: { form: FormState; names: readonly string[] }) => (
  <>
    {names.map((name) => {
      const value = form.values.get(name) ?? "";
      return value === "" ? null : <input type="hidden" name={name} value={value} />;
    })}
  </>
);

const inputTypes = {
  text: { type: "text" },
  address: { type: "text", inputMode: "url" },
  email: { type: "email" },
  phone: { type: "tel" },
  number: { type: "text", inputMode: "decimal" },
} as const;

interface ControlProps {
  readonly field: DataField;
  readonly form: FormState;
  readonly pages: FormChoices["pages"];
}

function DataFieldControl({ field: { kind, rare: _, ...texts }, form, pages }: ControlProps) {
  switch (kind) {
    case "paragraph":
      return (
        <div class="whole">
          <TextArea form={form} {...texts} rows={3} />
        </div>
      );
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
