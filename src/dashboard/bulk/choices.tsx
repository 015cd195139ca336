import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import type { Domain } from "../../contract/resources/domains.ts";
import type { Template } from "../../contract/resources/images/templates.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import type { HostCount } from "../../domain/bulk/changes/preview.ts";
import { noStyle } from "../../domain/templates/styles.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { WordsField } from "../../ui/forms/combobox.tsx";
import { Checkbox, Select, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Tiles } from "../../ui/forms/tiles.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { type Choices, type Item, none } from "../choices/choices.ts";
import { SearchedSelect } from "../choices/searched-select.tsx";
import { folderSource, tagSuggestions } from "../choices/sources.ts";
import { domainChoices } from "../codes/form/addresses.tsx";
import { queryNames } from "../codes/query-names.ts";
import { ColorFields } from "../design/color-fields.tsx";
import { withDesign } from "../design/fields.ts";
import { logoTiles, noLogo } from "../design/logo-tiles.tsx";
import { eyeTiles, frameTiles, moduleTiles } from "../design/part-tiles.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { changeLabels as labels, otherHost } from "./read-change.ts";
import type { Selected } from "./selection.ts";

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly selected: Selected;
  readonly folders: Choices<Item>;
  readonly templates: readonly Template[];
  readonly logos: readonly LogoUses[];
  /** Of the workspace. */
  readonly domains: readonly Domain[];
  /** The hosts of the first codes' addresses. */
  readonly hosts: readonly HostCount[];
  /** How many codes are selected. */
  readonly count: number;
}

const keep = "Leave as it is";
/** The same on a tile. */
const same = "No change";

const row = (name: keyof typeof labels, form: FormState) => ({
  ...{ name, label: labels[name] ?? name, chosen: form.values.get(name) ?? "", form },
  isRow: true,
});

/** The form with the changes to choose from. Empty fields change nothing. */
export function ChangeChoices(props: Props) {
  const { request, form, selected, folders, templates, logos, domains, hosts, count } = props;
  const plan: PlanLimits = plans[request.context.plan];
  return (
    <PostForm action="/dashboard/codes/bulk" novalidate>
      <Problems form={form} labels={labels} />
      <HiddenFields values={selected.fields} />
      <input type="hidden" name="step" value="look" />
      <Part title={domains.length > 0 ? "Tags, folder, domain and status" : "Tags, folder and status"}>
        <div class="pair">
          <WordsField form={form} name="addTags" label={labels.addTags} source={tagSuggestions} />
          <WordsField form={form} name="removeTags" label={labels.removeTags} source={tagSuggestions} />
        </div>
        {folders.items.length > 0 && (
          <SearchedSelect
            source={folderSource}
            form={form}
            label={labels.folderId}
            others={[
              ["", keep],
              [none, "None"],
            ]}
            choices={folders}
          />
        )}
        {domains.length > 0 && (
          <Select
            form={form}
            name="domain"
            label={labels.domain}
            hint="Printed codes keep the host they have, and go on working."
            choices={[
              ["", keep],
              ...domainChoices(domains, request.deps.settings.scanOrigin).map(
                ([host, text]) => [host === "" ? none : host, text] as const,
              ),
            ]}
          />
        )}
        <Tiles
          {...row("status", form)}
          tiles={[
            { value: "", text: same },
            { value: "active", text: "Active" },
            { value: "paused", text: "Paused" },
          ]}
        />
      </Part>
      <Design {...{ form, plan, templates, logos }} />
      <Destinations form={form} hosts={hosts} count={count} />
      <FormButtons submit="Review changes" back={selected.list}>
        <button class="button danger" type="submit" name="step" value="delete">
          Delete {formatCount(count, "code")}…
        </button>
      </FormButtons>
      <p class="small quiet under-table">Nothing changes until you confirm on the next page.</p>
    </PostForm>
  );
}

/** The part of addresses to replace: a host of the codes, or another text. */
function Destinations({ form, hosts, count }: Pick<Props, "form" | "hosts" | "count">) {
  const { examined } = limits.bulkUpdate;
  const chosen = form.values.get("replace.host") ?? "";
  const isListed = ["", otherHost, ...hosts.map(({ host }) => host)].includes(chosen);
  const isWrong = "replace.from" in form.problems;
  return (
    <Part
      title="Destinations"
      text="Replaced in destinations, app links and fallback links. The rest of each address stays the same."
    >
      {hosts.length > 0 && (
        <Select
          form={form}
          name="replace.host"
          label={labels["replace.host"]}
          hint={examined < count ? `Found in the first ${formatCount(examined, "code")}` : undefined}
          choices={[
            ["", keep],
            ...hosts.map(({ host, codes }) => [host, `${host} (${formatCount(codes, "code")})`] as const),
            ...(isListed ? [] : [[chosen, chosen] as const]),
            [otherHost, "Something else…"],
          ]}
        />
      )}
      <div class={hosts.length > 0 && !isWrong ? "pair replacement" : "pair"}>
        <TextField
          form={form}
          name="replace.from"
          label={labels["replace.from"]}
          hint="Or the beginning of an address, as in https://shop.example/2025/"
          inputMode="url"
        />
        <TextField form={form} name="replace.to" label={labels["replace.to"]} inputMode="url" />
      </div>
      <Select
        form={form}
        name="query"
        label={labels.query}
        hint="For links and app links: pass on the part after ? when scanned"
        choices={[["", keep], ...Object.entries(queryNames)]}
      />
    </Part>
  );
}

const Part = ({ title, text, children }: { title: string; text?: string; children?: Child }) => (
  <fieldset class="part">
    <legend>{title}</legend>
    {text !== undefined && <p class="hint">{text}</p>}
    {children}
  </fieldset>
);

interface DesignProps extends Pick<Props, "form" | "templates" | "logos"> {
  readonly plan: PlanLimits;
}

function Design({ form, plan, templates, logos }: DesignProps) {
  const unchanged = { value: "", text: same };
  const logo = row("advanced.logo.id", form);
  return (
    <Part title="Design">
      {plan.fullDesign && templates.length > 0 && (
        <Tiles
          {...row("templateId", form)}
          tiles={[
            unchanged,
            { value: none, text: "None, but keep the design" },
            ...templates.map(({ id, name }) => ({
              value: id,
              text: name,
              picture: (
                <img src={`/dashboard/templates/${id}/image`} alt="" width="48" height="48" loading="lazy" />
              ),
            })),
          ]}
        />
      )}
      <Tiles {...row("advanced.modules", form)} tiles={[unchanged, ...moduleTiles(plan.fullDesign)]} />
      {plan.fullDesign && (
        <>
          <Tiles {...row("advanced.eyeFrame", form)} tiles={[unchanged, ...eyeTiles("frame")]} />
          <Tiles {...row("advanced.eyeCenter", form)} tiles={[unchanged, ...eyeTiles("center")]} />
          <Tiles {...row("advanced.frame.style", form)} tiles={[unchanged, ...frameTiles(none)]} />
          <div class="frame-text">
            <TextField
              form={form}
              name="advanced.frame.text"
              label={labels["advanced.frame.text"]}
              hint="If empty, frames keep their text."
              maxLength={limits.design.frameText}
            />
          </div>
          {logos.length > 0 && (
            <Tiles {...logo} tiles={[unchanged, noLogo(none), ...logoTiles(logos, logo.chosen)]} />
          )}
        </>
      )}
      <Checkbox form={form} name="setColors" label="Change colours" />
      <ColorFields form={{ ...form, values: withDesign(form.values, noStyle) }} plan={plan} />
    </Part>
  );
}
