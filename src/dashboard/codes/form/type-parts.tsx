import { type PlanLimits, plans } from "../../../contract/plans.ts";
import { QrType, qrTypeNames } from "../../../contract/resources/enums.ts";
import { TextArea, TextField } from "../../../ui/forms/field.tsx";
import { type FormState, problemOf } from "../../../ui/forms/form.ts";
import { Tiles } from "../../../ui/forms/tiles.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import { pageSource } from "../../choices/sources.ts";
import { UpgradeLink } from "../../frame/notices.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import type { FormChoices } from "./choices.ts";
import { dataFields } from "./data-fields.ts";
import { hasUtm, utmFields } from "./fields.ts";
import { type TopField as TopFieldOfType, topField } from "./main-field.ts";
import { Campaign, PassedQuery } from "./rows.tsx";
import { typeTexts } from "./types.ts";

const includes = (plan: PlanLimits, type: QrType): boolean => plan.qrTypes.includes(type);

/** The field at the top, which is all that most codes need; none for a type that the plan lacks. */
export const TopField = ({ form, type, plan, pages, isNew }: TopProps) => (
  <div class="top-field" id="top-field">
    {includes(plan, type) && (
      <DataFieldControl field={topField(type, isNew)} form={form} pages={pages} isTop />
    )}
  </div>
);

interface TopProps {
  readonly form: FormState;
  readonly type: QrType;
  readonly plan: PlanLimits;
  readonly pages: FormChoices["pages"];
  /** Whether the type can still change. */
  readonly isNew: boolean;
}

/**
 * The types as tiles. Choosing one submits the form, which then shows that type's fields and keeps all entries; scripts
 * replace only the parts that depend on the type, and choose one for a text in the field at the top.
 */
export const TypeTiles = ({ type, plan, isChosen }: TypeProps) => (
  <>
    <Tiles
      name="type"
      label="Type"
      chosen={type}
      kind="line"
      tiles={QrType.options.map((each) => ({
        value: each,
        text: qrTypeNames[each].name,
        picture: <Icon name={typeTexts[each].icon} size={20} />,
        isLacking: !includes(plan, each),
      }))}
      request={{
        ...(isChosen && { "data-chosen": "" }),
        "hx-post": "/dashboard/codes/new",
        "hx-trigger": "change",
        "hx-vals": '{"change":"type"}',
        "hx-target": "#of-type",
        "hx-select": "#of-type",
        "hx-select-oob": "#top-field,#campaign",
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

interface TypeProps {
  readonly type: QrType;
  readonly plan: PlanLimits;
  /** Whether a person chose the type, so that no text changes it. */
  readonly isChosen: boolean;
}

interface DataProps {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly type: QrType;
  readonly pages: FormChoices["pages"];
}

/** A type's other fields, keeping what was entered for other types; or a note that the plan doesn't include the type. */
export function DataOfType({ request: { context, deps }, form, type, pages }: DataProps) {
  const plan: PlanLimits = plans[context.plan];
  const isLacking = !includes(plan, type);
  const top = topField(type, true).name;
  const own = isLacking ? [] : dataFields[type];
  const shown = own.filter(({ name }) => name !== top);
  const frequent = shown.filter(({ rare }) => rare !== true);
  const rare = shown.filter((field) => field.rare === true);
  const isUsed = rare.some(({ name }) => form.values.get(name) || problemOf(form, name) !== undefined);
  const others = allNames.filter((name) => !own.some((field) => field.name === name));
  return (
    <div id="of-type" data-place={type === "location" ? "" : undefined}>
      <Carried form={form} names={others} />
      {isLacking ? (
        <Notice kind="info">
          <p>
            Your {plan.title} plan doesn't include {qrTypeNames[type].inText} codes.{" "}
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </p>
        </Notice>
      ) : (
        type !== "url" && <p class="quiet small">{typeTexts[type].effect}</p>
      )}
      {frequent.length > 0 && (
        <div class="pair">
          {frequent.map((field) => (
            <DataFieldControl field={field} form={form} pages={pages} />
          ))}
        </div>
      )}
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
  <div class="lines" id="campaign">
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
  readonly field: TopFieldOfType;
  readonly form: FormState;
  readonly pages: FormChoices["pages"];
  /** Whether it is the field at the top. */
  readonly isTop?: true;
}

function DataFieldControl({ field: { kind, rare: _, ...texts }, form, pages, isTop }: ControlProps) {
  switch (kind) {
    case "paragraph":
      return (
        <div class="whole">
          <TextArea form={form} {...texts} rows={3} />
        </div>
      );
    case "lines":
    case "phones":
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
      return (
        <TextField
          form={form}
          {...texts}
          {...inputTypes[kind]}
          data={isTop === true ? { "data-top": "" } : {}}
        />
      );
  }
}
