import type { Child } from "hono/jsx";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { QrData } from "../../../contract/resources/codes/qr-data.ts";
import type { HistoryEntry } from "../../../contract/resources/history/history.ts";
import { destinationText } from "../../../domain/codes/titles.ts";
import { routeTarget } from "../../../edge/routing/route-target.ts";
import { tagTarget } from "../../../edge/routing/utm.ts";
import { FieldTexts } from "../../../ui/forms/field.tsx";
import { problemOf } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { formatMinute } from "../../../ui/values/format.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import { pageSource } from "../../choices/sources.ts";
import { May } from "../../frame/may.tsx";
import { mainField } from "../form/fields.ts";
import type { DestinationForm } from "./destination-form.ts";

interface Props {
  readonly qr: Qr;
  /** The titles of hosted pages, by id. */
  readonly pageTitles: ReadonlyMap<string, string>;
  readonly destination: DestinationForm;
  /** The last change of the destination; undefined if the history has none. */
  readonly last: HistoryEntry | undefined;
  /** IANA name. */
  readonly timeZone: string;
  /** The page's path and query, to which the form returns. */
  readonly back: string;
}

/** Where a scan leads, and a form to change that. To people who can't, the same in words. */
export function LeadsTo(props: Props) {
  const { qr, pageTitles } = props;
  const words = <Words qr={qr} pageTitles={pageTitles} />;
  return (
    <May permission="codes.write" otherwise={<p class="leads">{words}</p>}>
      <Form {...props}>{words}</Form>
    </May>
  );
}

function Form({ qr, destination, last, timeZone, back, children }: Props & { children?: Child }) {
  const { form, seen, pages } = destination;
  const { name, label, kind } = mainField(qr.qrType);
  const isUrl = qr.qrType === "url";
  const isWrong = problemOf(form, name) !== undefined;
  const control = {
    id: name,
    name,
    class: isUrl ? "address" : undefined,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
    "aria-describedby": isWrong ? `${name}-problem` : undefined,
    autofocus: isWrong,
  };
  const value = form.values.get(name) ?? "";
  return (
    <PostForm
      class={isWrong ? "leads-to field wrong" : "leads-to field"}
      action={`/dashboard/codes/${qr.id}/destination`}
      novalidate
    >
      {kind !== "page" && <label for={name}>{isUrl ? "Leads to" : label}</label>}
      <input type="hidden" name="seen" value={seen} />
      <input type="hidden" name="back" value={back} />
      <div class="leads-field">
        {kind === "page" ? (
          <SearchedSelect
            source={pageSource}
            form={form}
            label={label}
            required
            others={[]}
            choices={pages}
          />
        ) : kind === "phones" ? (
          <textarea rows={2} {...control}>{`\n${value}`}</textarea>
        ) : (
          <input
            type={kind === "phone" ? "tel" : "text"}
            inputmode={kind === "address" ? "url" : undefined}
            value={value}
            autocomplete="off"
            spellcheck={false}
            {...control}
          />
        )}
        <button class="button" type="submit">
          Publish
        </button>
      </div>
      <FieldTexts form={form} name={name} label={label} />
      {(!isUrl || qr.utm !== null) && <p class="leads">{children}</p>}
      {last !== undefined && <Before entry={last} timeZone={timeZone} back={back} />}
    </PostForm>
  );
}

/** The destination before the last change, and a button that restores it. */
function Before({ entry, timeZone, back }: { entry: HistoryEntry; timeZone: string; back: string }) {
  const before = QrData.safeParse(entry.changes.data?.before).data;
  if (before === undefined) return null;
  return (
    <p class="small quiet leads-before">
      Was <span class="address">{destinationText(before)}</span> until{" "}
      <time datetime={entry.at}>{formatMinute(entry.at, timeZone)}</time>
      <button
        class="button plain"
        type="submit"
        name="back"
        value={back}
        formaction={`/dashboard/history/${entry.id}/revert`}
      >
        Undo
      </button>
    </p>
  );
}

/** Where a scan leads: an address with its campaign parameters, a hosted page, or something else in words. */
function Words({ qr, pageTitles }: Pick<Props, "qr" | "pageTitles">) {
  const { destination } = tagTarget(routeTarget(qr.data), qr.utm);
  const text = destinationText(qr.data, pageTitles);
  return (
    <>
      <Icon name="corner-down-right" />
      {/^https?:/.test(destination) ? (
        <a class="address" href={destination} rel="noreferrer">
          {destination}
        </a>
      ) : qr.data.type === "servicepage" ? (
        <a href={`/dashboard/pages/${qr.data.pageId}`}>{text}</a>
      ) : (
        <span>{text}</span>
      )}
    </>
  );
}
