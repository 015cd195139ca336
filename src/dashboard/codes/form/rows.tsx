import { limits } from "../../../contract/limits.ts";
import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import { ScanQuery } from "../../../contract/resources/enums.ts";
import { WordsField } from "../../../ui/forms/combobox.tsx";
import { Select, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import { folderSource, tagSuggestions } from "../../choices/sources.ts";
import { queryNames } from "../query-names.ts";
import type { FormChoices } from "./choices.ts";
import { utmFields } from "./fields.ts";
import { Row } from "./row.tsx";

/** Where the team finds the code. */
export function Place({ form, folders }: { form: FormState; folders: FormChoices["folders"] }) {
  const [folder, tags] = [filled(form, "folderId"), filled(form, "tags")];
  return (
    <>
      {folders.items.length > 0 && (
        <Row
          title={qrFields.folderId.label}
          state={folders.items.find(({ id }) => id === folder)?.name ?? "None"}
          isOpen={isWrong(form, ["folderId", folderSource.findField])}
        >
          <SearchedSelect
            source={folderSource}
            form={form}
            label={qrFields.folderId.label}
            others={[["", "None"]]}
            choices={folders}
          />
        </Row>
      )}
      <Row
        title={qrFields.tags.label}
        state={tags === "" ? "None" : tags}
        none="None"
        isOpen={isWrong(form, ["tags"])}
      >
        <WordsField form={form} name="tags" label={qrFields.tags.label} source={tagSuggestions} />
      </Row>
    </>
  );
}

/** When the code works, and where scans lead outside that time. */
export function LifeSpan({ form, timeZone }: { form: FormState; timeZone: string }) {
  const fallback = filled(form, "fallbackUrl");
  return (
    <>
      <Row
        title="Start and end"
        state={describeSpan(filled(form, "startsAt"), filled(form, "expiresAt"))}
        none="Always on"
        isOpen={isWrong(form, ["startsAt", "expiresAt"])}
      >
        <div class="pair">
          <TextField form={form} name="startsAt" label={qrFields.startsAt.label} type="datetime-local" />
          <TextField form={form} name="expiresAt" label={qrFields.expiresAt.label} type="datetime-local" />
        </div>
        <input type="hidden" name="timeZone" value={timeZone} />
        <p class="hint row-note">Times are in {timeZone}.</p>
      </Row>
      <Row
        title="Fallback"
        state={fallback === "" ? "A standard notice" : fallback}
        none="A standard notice"
        isOpen={isWrong(form, ["fallbackUrl"])}
      >
        <TextField
          form={form}
          name="fallbackUrl"
          label={qrFields.fallbackUrl.label}
          hint="Where to send visitors while the code is inactive. Leave empty to show a notice."
          inputMode="url"
        />
      </Row>
    </>
  );
}

/** Describes a time span briefly. @param start local times as in form fields; empty for none */
function describeSpan(start: string, end: string): string {
  if (start === "" && end === "") return "Always on";
  if (end === "") return `From ${plainTime(start)}`;
  return start === "" ? `Until ${plainTime(end)}` : `${plainTime(start)} to ${plainTime(end)}`;
}

const plainTime = (local: string): string => local.replace("T", " ");

/** The id by which the owner's programs know the code. */
export function OwnId({ form }: { form: FormState }) {
  const given = filled(form, "externalId");
  return (
    <Row
      title={qrFields.externalId.label}
      state={given === "" ? "None" : given}
      none="None"
      isOpen={isWrong(form, ["externalId"])}
    >
      <TextField
        form={form}
        name="externalId"
        label={qrFields.externalId.label}
        hint="A SKU or order number, for example. Use it to find the code from your own systems."
        maxLength={2 * limits.externalId}
      />
    </Row>
  );
}

/** The campaign parameters. */
export function Campaign({ form }: { form: FormState }) {
  const given = utmFields.flatMap(({ path }) => filled(form, path) || []);
  const paths = utmFields.map(({ path }) => path);
  return (
    <Row
      title="Campaign"
      state={given.length === 0 ? "No UTM parameters" : given.join(", ")}
      none="No UTM parameters"
      isOpen={isWrong(form, paths)}
    >
      <div class="pair">
        {utmFields.map(({ path, label }) => (
          <TextField form={form} name={path} label={label} maxLength={limits.utm} />
        ))}
      </div>
      <p class="hint row-note">Added to the address that a scan opens, for your own analytics.</p>
    </Row>
  );
}

/** Whether what follows `?` in a scanned address is passed on. */
export function PassedQuery({ form }: { form: FormState }) {
  const { data: given = "off" } = ScanQuery.safeParse(filled(form, "query"));
  return (
    <Row title={qrFields.query.label} state={queryNames[given]} isOpen={isWrong(form, ["query"])}>
      <Select
        form={form}
        name="query"
        label={qrFields.query.label}
        hint="What follows ? in a scanned address, such as ?table=7"
        choices={Object.entries(queryNames)}
      />
    </Row>
  );
}

const filled = ({ values }: FormState, name: string): string => values.get(name)?.trim() ?? "";

const isWrong = ({ problems }: FormState, names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(problems, name));
