import type { Child } from "hono/jsx";
import { QrData } from "../../contract/resources/codes/qr-data.ts";
import { QrType, qrTypeNames, ScanQuery } from "../../contract/resources/enums.ts";
import { fieldLabel } from "../../contract/resources/history/field-names.ts";
import type { HistoryEntry, HistoryKind } from "../../contract/resources/history/history.ts";
import { Suspension } from "../../contract/resources/operations/suspension.ts";
import { Role } from "../../contract/roles.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatTime } from "../../ui/values/format.ts";
import { roleTexts } from "../../ui/values/roles.ts";
import { type Names, nameIn, shapeNames } from "../bulk/change-facts.tsx";
import { dataFacts } from "../codes/facts.tsx";
import { queryNames } from "../codes/query-names.ts";

interface Props {
  readonly entry: HistoryEntry;
  readonly names: Names;
  readonly timeZone: string;
}

/** How many characters of a value are shown. */
const shownLength = 400;

/** Returns the changes that say something to people: the id of a new key doesn't. */
export const shownChanges = ({ changes }: HistoryEntry) =>
  Object.entries(changes).filter(([field]) => field !== "replacedBy");

/** The fields that an entry changed, before and after. */
export const ChangedFields = ({ entry, ...others }: Props) => (
  <FieldChanges
    kind={entry.object.kind}
    fields={shownChanges(entry).map(([field, change]) => ({ field, ...change }))}
    {...others}
  />
);

interface FieldsProps extends Omit<Props, "entry"> {
  readonly kind: HistoryKind;
  readonly fields: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** Fields of something before and after a change. */
export const FieldChanges = ({ kind, fields, names, timeZone }: FieldsProps) => (
  <dl class="changed-fields">
    {fields.map(({ field, before, after }) => (
      <div>
        <dt>{fieldLabel(kind, field)}</dt>
        <dd>
          {before !== null && before !== undefined && (
            <del dir="auto">{shown(kind, field, before, names, timeZone)}</del>
          )}
          <span>
            {before !== null && before !== undefined && (
              <>
                <Icon name="arrow-right" />
                <span class="visually-hidden">became</span>
              </>
            )}
            <ins dir="auto">{shown(kind, field, after, names, timeZone)}</ins>
          </span>
        </dd>
      </div>
    ))}
  </dl>
);

/** Returns how a field's value is shown. */
function shown(kind: HistoryKind, field: string, value: unknown, names: Names, timeZone: string): Child {
  if (value === null || value === undefined || value === "") return "None";
  switch (field) {
    case "folderId":
      return nameIn(names.folders, String(value));
    case "templateId":
      return nameIn(names.templates, String(value));
    case "qrType": {
      const { data: type } = QrType.safeParse(value);
      return type === undefined ? String(value) : qrTypeNames[type].name;
    }
    case "role": {
      const { data: role } = Role.safeParse(value);
      return role === undefined ? String(value) : roleTexts[role].name;
    }
    case "fields":
      return Array.isArray(value) ? value.map((name) => fieldLabel("code", String(name))).join(", ") : null;
    case "shape":
      return value === "square" || value === "circle" ? shapeNames[value] : String(value);
    case "query": {
      const { data: query } = ScanQuery.safeParse(value);
      return query === undefined ? String(value) : queryNames[query];
    }
    case "status":
      if (kind === "domain") return value === "active" ? "Active" : "Not active";
      return value === "paused" ? "Paused" : "Active";
    case "data":
      return <Data value={value} />;
    case "qrId":
      return <a href={`/dashboard/codes/${String(value)}`}>View code</a>;
    case "codes":
      return value === "stop" || value === "freeze" ? (
        afterDeletion[value]
      ) : (
        <Plain value={value} timeZone={timeZone} />
      );
    case "suspended":
      return Suspension.safeParse(value).data?.reason ?? "Yes";
    case "colorConfig":
      return <Colors value={value} />;
    default:
      return <Plain value={value} timeZone={timeZone} />;
  }
}

/** The words for the codes of a workspace whose deletion is requested. */
const afterDeletion = { stop: "Stop at once", freeze: "Go on until the data is erased" };

/** Where a code leads, or what it contains. */
function Data({ value }: { value: unknown }) {
  const { data } = QrData.safeParse(value);
  if (data === undefined || data.type === "servicepage") return <Plain value={value} timeZone="UTC" />;
  if (data.type === "url") return <span class="address">{data.url}</span>;
  return (
    <>
      {dataFacts(data).map(([label, fact]) => (
        <span class="value-part">
          <span class="quiet">{label}:</span> {fact}
        </span>
      ))}
    </>
  );
}

/** Colours by name, each with a swatch. */
function Colors({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null) return <Plain value={value} timeZone="UTC" />;
  const names: Readonly<Record<string, string>> = {
    dotsColor: "Code",
    backgroundColor: "Background",
    cornerColor: "Corners",
  };
  return (
    <>
      {Object.entries(value).map(([part, color]) => (
        <span class="value-part">
          <svg class="color" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" fill={String(color)} />
          </svg>
          <span class="quiet">{names[part] ?? part}:</span> {String(color)}
        </span>
      ))}
    </>
  );
}

/** Other values as text: addresses in their own type, times in the zone, objects by their parts. */
function Plain({ value, timeZone }: { value: unknown; timeZone: string }) {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === "string") ? (
      <>{value.length === 0 ? "None" : short(value.join(", "))}</>
    ) : (
      <>
        {value.map((item) => (
          <span class="value-part">{short(wordsIn(item))}</span>
        ))}
      </>
    );
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).filter(([, part]) => part !== null);
    return (
      <>
        {parts.map(([name, part]) => (
          <span class="value-part">
            <span class="quiet">{name}:</span> {short(typeof part === "string" ? part : JSON.stringify(part))}
          </span>
        ))}
      </>
    );
  }
  if (typeof value === "boolean") return <>{value ? "Yes" : "No"}</>;
  const text = short(String(value));
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <>{formatTime(text, timeZone)}</>;
  return /^https?:\/\/\S+$/.test(text) ? <span class="address">{text}</span> : <>{text}</>;
}

/** Returns the texts in a value, such as a page's block. */
const wordsIn = (value: unknown): string =>
  typeof value === "object" && value !== null ? Object.values(value).map(wordsIn).join(", ") : String(value);

const short = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
