import { limits } from "../../contract/limits.ts";
import {
  type BlockedHost,
  BlockedHostInput,
  type NewBlockedHost,
} from "../../contract/resources/operations/blocked-hosts.ts";
import { blockHost, listBlockedHosts, unblockHost } from "../../domain/destinations/blocked-hosts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatCount, formatDate, formatNumber } from "../../ui/values/format.ts";
import { formPage } from "../frame/form-page.tsx";
import type { PageResponse, SeeOther } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { OperatorRequest } from "./request.ts";

const path = "/operator/blocked-hosts";
const labels = { host: "Host", reason: "Reason" } as const;

/** The hosts that can't be destinations, and the form to block one. */
export const blockedHostList = (request: OperatorRequest): Promise<PageResponse> => show(request, {});

/** Blocks a host and shows how many codes lead there; shows the form again if that fails. */
export async function saveBlockedHost(request: OperatorRequest): Promise<PageResponse> {
  const { deps, form } = request;
  const input = { host: form.get("host") ?? "", reason: form.get("reason") ?? "" };
  const outcome = await submitForm(BlockedHostInput, input, (checked) => blockHost(deps, checked));
  return "done" in outcome
    ? show({ ...request, form: new URLSearchParams() }, { blocked: outcome.done })
    : show(request, { rejection: outcome.rejection });
}

/** Unblocks a host. @throws not_found */
export async function unblock({ deps, param }: OperatorRequest): Promise<SeeOther> {
  await unblockHost(deps, param("id"));
  return { seeOther: path, flash: "hostUnblocked" };
}

interface Result {
  readonly blocked?: NewBlockedHost;
  readonly rejection?: Rejection;
}

async function show(request: OperatorRequest, { blocked, rejection }: Result): Promise<PageResponse> {
  const { deps, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await listBlockedHosts(deps, { cursor, limit: limits.operatorList.default });
  const form: FormState = { values: request.form, problems: rejection?.problems ?? {} };
  return formPage(
    "Blocked hosts",
    rejection,
    <>
      <Head title="Blocked hosts" />
      {blocked !== undefined && <Blocked blocked={blocked} />}
      <Problems form={form} labels={labels} />
      {items.length === 0 ? (
        <Empty
          title="No blocked hosts"
          text="A blocked host and its subdomains can't be destinations of new codes, pages and webhooks. Existing codes keep working."
        />
      ) : (
        <HostTable hosts={items} />
      )}
      <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      <PostForm class="below narrow-form" action={path} novalidate>
        <h2>Block a host</h2>
        <TextField
          form={form}
          name="host"
          label={labels.host}
          hint="Such as phishing.example. Its subdomains are blocked, too"
          maxLength={limits.blockedHosts.host}
          inputMode="url"
          required
        />
        <TextField
          form={form}
          name="reason"
          label={labels.reason}
          hint="Only you read it"
          maxLength={limits.blockedHosts.reason}
          required
        />
        <button class="button primary" type="submit">
          Block host
        </button>
      </PostForm>
    </>,
  );
}

/** A host that has just been blocked, and the codes that lead there. */
const Blocked = ({ blocked: { host, codes } }: { blocked: NewBlockedHost }) => (
  <Notice kind={codes.found === 0 ? "good" : "warn"} role="status">
    <p>
      <strong>{host} is blocked.</strong>{" "}
      {codes.found === 0
        ? "No code leads there."
        : `${formatCount(codes.found, "code leads", "codes lead")} there and still ${codes.found === 1 ? "works" : "work"}. Suspend what must stop.`}
      {!codes.complete && ` Only the newest ${formatNumber(codes.examined)} codes were examined.`}
    </p>
  </Notice>
);

const HostTable = ({ hosts }: { hosts: readonly BlockedHost[] }) => (
  <Table
    kind="records"
    rows={hosts}
    columns={[
      { head: "Host", cell: ({ host }) => <strong class="break">{host}</strong> },
      ["Reason", ({ reason }) => <span class="break">{reason}</span>],
      ["Blocked", ({ createdAt }) => formatDate(createdAt), { kind: "nowrap", priority: 2 }],
    ]}
    actions={({ id }) => <Action path={`${path}/${id}/unblock`}>Unblock</Action>}
  />
);
