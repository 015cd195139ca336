import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import type { Domain } from "../../../contract/resources/domains.ts";
import { isInUse } from "../../../domain/domains/domains.ts";
import { readsAsValue } from "../../../lib/text/spreadsheets.ts";
import { linesOf } from "../../../lib/text/words.ts";
import { controlAttributes, Field, Select, TextArea } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { Row } from "./row.tsx";

interface Props {
  readonly form: FormState;
  readonly domains: readonly Domain[];
  readonly scanOrigin: string;
}

const hostOf = (origin: string): string => new URL(origin).host;

/** Returns whether a form has fields for a code's domain and aliases. */
export const hasAddresses = ({ values }: FormState, domains: readonly Domain[]): boolean =>
  domains.length > 0 || ["domain", "aliases"].some((name) => (values.get(name) ?? "") !== "");

/** The choices of a domain: the host of scans, the workspace's domains, and the chosen one if it isn't one of them. */
export function domainChoices(
  domains: readonly Domain[],
  scanOrigin: string,
  chosen = "",
): readonly (readonly [host: string, text: string])[] {
  const isKnown = chosen === "" || domains.some(({ host }) => host === chosen);
  return [
    ["", hostOf(scanOrigin)],
    ...domains.map(
      (domain) => [domain.host, isInUse(domain) ? domain.host : `${domain.host} (not active)`] as const,
    ),
    ...(isKnown ? [] : [[chosen, `${chosen} (removed)`] as const]),
  ];
}

/**
 * The host of the short link. For a new code, choosing one changes the host before the short name, and the domain's
 * choice about the query of scans.
 */
export function DomainRow({ form, domains, scanOrigin, isNew }: Props & { isNew: boolean }) {
  const chosen = form.values.get("domain") ?? "";
  const request = isNew && {
    "hx-post": "/dashboard/codes/new",
    "hx-trigger": "change",
    "hx-vals": '{"change":"domain"}',
    "hx-target": "#campaign",
    "hx-select": "#campaign",
    "hx-select-oob": "#short-name",
    "hx-swap": "outerHTML",
  };
  return (
    <Row
      title={qrFields.domain.label}
      state={chosen === "" ? hostOf(scanOrigin) : chosen}
      isOpen={Object.hasOwn(form.problems, "domain")}
    >
      <div {...request}>
        <Select
          form={form}
          name="domain"
          label={qrFields.domain.label}
          hint={isNew ? undefined : "Printed codes keep the host they have, and go on working."}
          required
          choices={domainChoices(domains, scanOrigin, chosen)}
        />
      </div>
    </Row>
  );
}

/** The end of the short link, if chosen by the owner. */
export function ShortName({ form, scanOrigin }: Pick<Props, "form" | "scanOrigin">) {
  const props = {
    form,
    name: "hash",
    label: qrFields.hash.label,
    hint: readsAsValue(form.values.get("hash")?.trim().toLowerCase() ?? "")
      ? "A spreadsheet would read this as a number or a date, and save another name."
      : "Leave empty for a random one. Can't be changed later.",
  } as const;
  return (
    <div id="short-name">
      <Field
        {...props}
        control={
          <div class="entry prefixed">
            <span class="quiet">{form.values.get("domain") || hostOf(scanOrigin)}/</span>
            <input
              type="text"
              maxlength={32}
              autocapitalize="none"
              spellcheck={false}
              value={form.values.get("hash") ?? ""}
              {...controlAttributes(props)}
            />
          </div>
        }
      />
    </div>
  );
}

/** The other addresses of the code. */
export function Aliases({ form, domains }: Pick<Props, "form" | "domains">) {
  const given = linesOf(form.values.get("aliases") ?? "");
  const isWrong = Object.hasOwn(form.problems, "aliases");
  const host = domains[0]?.host ?? "go.example.com";
  return (
    <Row title={qrFields.aliases.label} state={given.join(", ") || "None"} none="None" isOpen={isWrong}>
      <TextArea
        form={form}
        name="aliases"
        label={qrFields.aliases.label}
        hint={`One per line, such as ${host}/Menu. Case counts.`}
      />
    </Row>
  );
}
