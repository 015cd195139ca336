import { limits } from "../../../contract/limits.ts";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import type { Domain } from "../../../contract/resources/domains.ts";
import { originAt } from "../../../lib/web/origin.ts";
import { TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { CopyButton } from "../../../ui/values/copy-button.tsx";
import { May } from "../../frame/may.tsx";
import type { Rejection } from "../../frame/submit-form.ts";

/** An address that a code can't have. */
export interface RefusedAlias {
  readonly field: "alias";
  readonly values: URLSearchParams;
  readonly problem: string;
  readonly status: Rejection["status"];
}

/** The data that the list of a code's other addresses depends on. */
export interface AddressesForm {
  /** Of the workspace. */
  readonly domains: readonly Domain[];
  readonly scanOrigin: string;
  readonly refused: RefusedAlias | undefined;
}

/** How many addresses are shown at first. */
const shown = 3;

/** The other addresses of a code, and a form to add one; nothing in a workspace without domains. */
export function Addresses({ qr, domains, scanOrigin, refused }: AddressesForm & { qr: Qr }) {
  const { aliases } = qr;
  if (domains.length === 0 && aliases.length === 0) return null;
  const rest = aliases.slice(shown);
  return (
    <div class="also">
      {aliases.length > 0 && (
        <>
          <p class="small quiet">{qrFields.aliases.label}</p>
          <AliasList aliases={aliases.slice(0, shown)} scanOrigin={scanOrigin} />
        </>
      )}
      {rest.length > 0 && (
        <details class="opening">
          <summary class="button plain">{rest.length} more</summary>
          <AliasList aliases={rest} scanOrigin={scanOrigin} />
        </details>
      )}
      {domains.length > 0 && aliases.length < limits.aliases.count && (
        <May permission="codes.write">
          <AddAlias qr={qr} host={domains[0]?.host ?? ""} refused={refused} />
        </May>
      )}
    </div>
  );
}

interface ListProps {
  readonly aliases: readonly string[];
  readonly scanOrigin: string;
}

function AliasList({ aliases, scanOrigin }: ListProps) {
  const addressOf = (alias: string) => {
    const slash = alias.indexOf("/");
    return originAt(alias.slice(0, slash), scanOrigin) + alias.slice(slash);
  };
  return (
    <ul class="plain row-links">
      {aliases.map((alias) => (
        <li class="copied">
          <a class="address" href={addressOf(alias)} target="_blank" rel="noopener">
            {alias}
          </a>
          <CopyButton text={addressOf(alias)} name={alias} />
        </li>
      ))}
    </ul>
  );
}

interface AddProps {
  readonly qr: Qr;
  /** Of an example. */
  readonly host: string;
  readonly refused: RefusedAlias | undefined;
}

function AddAlias({ qr, host, refused }: AddProps) {
  const form: FormState = {
    values: refused?.values ?? new URLSearchParams(),
    problems: refused === undefined ? {} : { alias: refused.problem },
    focus: refused === undefined ? undefined : "alias",
  };
  return (
    <details class="opening add-alias" open={refused !== undefined}>
      <summary class="button plain">
        <Icon name="plus" />
        Add an address
      </summary>
      <PostForm action={`/dashboard/codes/${qr.id}/aliases`} novalidate>
        <TextField
          form={form}
          name="alias"
          label="Address"
          hint={`An older short link, or any other path at one of your domains, such as ${host}/menu`}
          inputMode="url"
          required
        />
        <button class="button" type="submit">
          Add address
        </button>
      </PostForm>
    </details>
  );
}

/** Says that the short link of a code doesn't have its domain, which isn't active, or that domains don't know the code. */
export function DomainNotice({ qr, domains }: { qr: Qr; domains: readonly Domain[] }) {
  const { domain, scanUrl, scanOriginOnly } = qr;
  const { hostname, host } = new URL(scanUrl);
  if (scanOriginOnly && domains.length > 0) {
    return (
      <Notice kind="info">
        <p>
          A publishable key created this code, so it answers at {host} alone.{" "}
          <May permission="codes.write">
            <a href={`/dashboard/codes/${qr.id}/edit#domain`}>Choose a domain</a> to have it answer at yours.
          </May>
        </p>
      </Notice>
    );
  }
  if (domain === null || hostname === domain) return null;
  const found = domains.find((each) => each.host === domain);
  return (
    <Notice kind="info">
      {found === undefined ? (
        <p>
          {domain} was removed, so the short link has {host} again.{" "}
          <May permission="codes.write">
            <a href={`/dashboard/codes/${qr.id}/edit#domain`}>Choose another domain</a>
          </May>
        </p>
      ) : (
        <p>
          The short link has {host} until {domain} is active.{" "}
          <a href={`/dashboard/domains/${found.id}`}>View domain</a>
        </p>
      )}
    </Notice>
  );
}
