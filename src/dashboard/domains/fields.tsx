import { limits } from "../../contract/limits.ts";
import type { Domain } from "../../contract/resources/domains.ts";
import { Checkbox, Select, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { queryNames } from "../codes/query-names.ts";

/** The labels of a domain's fields, by their names. */
export const labels = {
  host: "Host",
  isDefault: "Default for new codes",
  name: "Name on pages",
  rootUrl: "Home link",
  unknownUrl: "Link for unknown paths",
  query: "Extra parameters",
} as const;

/** Returns the form values of a domain's settings. */
export const settingsValues = ({ isDefault, name, rootUrl, unknownUrl, query }: Domain): URLSearchParams =>
  new URLSearchParams({
    ...(isDefault && { isDefault: "on" }),
    name: name ?? "",
    rootUrl: rootUrl ?? "",
    unknownUrl: unknownUrl ?? "",
    query,
  });

/** Reads the settings from a form, for their schema to check. */
export function readSettings(form: URLSearchParams): object {
  const text = (name: string) => {
    const given = (form.get(name) ?? "").trim();
    return given === "" ? null : given;
  };
  return {
    isDefault: form.get("isDefault") === "on",
    name: text("name"),
    rootUrl: text("rootUrl"),
    unknownUrl: text("unknownUrl"),
    query: form.get("query") ?? undefined,
  };
}

/** The settings of a domain. */
export function SettingsFields({ form, host }: { form: FormState; host: string }) {
  return (
    <>
      <div class="field">
        <Checkbox form={form} name="isDefault" label={labels.isDefault} />
      </div>
      <TextField
        form={form}
        name="name"
        label={labels.name}
        hint={`Such as your company's. Visitors see it where ${host} has nothing to show.`}
        maxLength={limits.domain.name}
      />
      <TextField
        form={form}
        name="rootUrl"
        label={labels.rootUrl}
        hint={`Where https://${host} leads without a path, such as your website. Leave empty for a page of ours.`}
        inputMode="url"
      />
      <TextField
        form={form}
        name="unknownUrl"
        label={labels.unknownUrl}
        hint="Where to send visitors when no code matches. Leave empty to show our page."
        inputMode="url"
      />
      <Select
        form={form}
        name="query"
        label={labels.query}
        hint="For new codes with this domain: pass on the part after ? when scanned"
        required
        choices={Object.entries(queryNames)}
      />
    </>
  );
}
