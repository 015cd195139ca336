import type { Child } from "hono/jsx";
import { endpoints } from "../../contract/endpoints/index.ts";
import { httpStatusOf } from "../../contract/error-codes.ts";
import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import { Scope } from "../../contract/resources/enums.ts";
import { scopeTexts } from "../../contract/scopes.ts";
import { errorStatuses } from "../openapi.ts";
import { groupPath } from "./places.ts";
import { Code, Prose } from "./prose.tsx";
import { Table } from "./table.tsx";

/** Sections that apply to all endpoints. */
export const guide = [
  { id: "start", title: "Getting started", Body: GettingStarted },
  { id: "authentication", title: "Authentication", Body: Authentication },
  { id: "errors", title: "Errors", Body: Errors },
  { id: "rate-limits", title: "Rate limits", Body: RateLimits },
  { id: "idempotency", title: "Idempotency", Body: Idempotency },
  { id: "paging", title: "Paging", Body: Paging },
] as const;

interface GuideProps {
  /** The base of every path: the origin and `/api/v1`. */
  readonly server: string;
}

const hours = limits.idempotency.milliseconds / 3_600_000;

function GettingStarted({ server }: GuideProps) {
  return (
    <>
      <p>
        Every path is relative to <code>{server}</code>. Bodies are JSON in UTF-8, in both directions.
      </p>
      <p>
        The examples on this page work as they are once your shell has your key and, where a path has an{" "}
        <code>{"{id}"}</code>, the id to use:
      </p>
      <Code
        language="Shell"
        text={`export API_KEY=sk_live_…\n\ncurl "${server}/qr" -H "Authorization: Bearer $API_KEY"\n\nexport ID=…   # an id from the answer`}
      />
    </>
  );
}

function Authentication() {
  return (
    <>
      <p>
        Send your key with every request: <code>Authorization: Bearer sk_live_…</code>. A key acts for its
        workspace and has no access to any other. It is shown in full once, when it is created.
      </p>
      <p>A request without a valid key gets 401; a key without the scope of the endpoint gets 403.</p>
      <Rows
        caption="Scopes"
        head={["Scope", "Allows"]}
        rows={Scope.options.map((scope) => [<code>{scope}</code>, <Prose text={scopeTexts[scope].about} />])}
      />
      <p>
        Secret keys (<code>sk_live_…</code>) need the {secretKeyPlans()} plan. Publishable keys (
        <code>pk_live_…</code>) work on every plan, but can only create codes of type <code>url</code>, and
        only from the web origins they were created for, so a web page may contain them.
      </p>
      <p>
        Paths under <code>/developer</code> take a session, and those with a scope also a secret key. People
        sign in at <code>/dashboard</code>; programs send a JWT of the identity provider, such as an ID token,
        as <code>Authorization: Bearer $TOKEN</code>. Its audience must be this service's client id. Requests
        are counted per person, against the plan's cap.
      </p>
    </>
  );
}

const secretKeyPlans = (): string =>
  Object.values(plans)
    .filter((plan) => plan.secretKeys)
    .map((plan) => plan.title)
    .join(" or ");

/** Statuses besides 400 with the code `invalid_input`. */
const otherInvalid = [
  [405, "The path doesn't accept this method; `allow` names those it accepts"],
  [409, errorStatuses[409].meaning],
  [412, errorStatuses[412].meaning],
  [413, errorStatuses[413].meaning],
  [415, errorStatuses[415].meaning],
] as const;

function Errors() {
  const known = Object.entries(httpStatusOf).map(
    ([code, status]) => [code, status, errorStatuses[status].meaning] as const,
  );
  const invalid = otherInvalid.map(([status, meaning]) => ["invalid_input", status, meaning] as const);
  const rows = [...known, ...invalid].sort(([, a], [, b]) => a - b);
  return (
    <>
      <p>
        Every error has the same body: <code>error</code> is a message for people that names the field;{" "}
        <code>code</code> is for programs.
      </p>
      <Code
        language="JSON"
        text={JSON.stringify({ error: "data.url can't be empty.", code: "invalid_input" }, null, 2)}
      />
      <Rows
        caption="Error codes"
        head={["Code", "Status", "Meaning"]}
        rows={rows.map(([code, status, meaning]) => [
          <code>{code}</code>,
          String(status),
          <Prose text={meaning} />,
        ])}
      />
      <p>
        A malformed id, a deleted resource and one of another workspace all get the same 404. Every response
        has an <code>x-request-id</code>: quote it when you report a problem.
      </p>
    </>
  );
}

function RateLimits() {
  const count = new Intl.NumberFormat("en");
  return (
    <>
      <p>
        Requests are counted per key and per minute of the clock. <code>x-ratelimit-limit</code> is the number
        of requests allowed per minute, <code>x-ratelimit-remaining</code> the number left, and{" "}
        <code>x-ratelimit-reset</code> the seconds until the next minute begins.
      </p>
      <Rows
        caption="Limits by plan"
        head={["Plan", "Requests a minute", "Live codes", "Secret keys"]}
        rows={Object.values(plans).map((plan) => [
          plan.title,
          count.format(plan.requestsPerMinute),
          plan.liveCodes === null ? "no limit" : count.format(plan.liveCodes),
          plan.secretKeys ? "yes" : "no",
        ])}
      />
      <p>
        The next request gets 429 and has no effect. <code>retry-after</code> gives the seconds until the next
        minute begins. A client that does not read it waits 1 s, then 2 s, 4 s and so on up to 30 s, and
        starts over after a success.
      </p>
    </>
  );
}

function Idempotency() {
  const ids = Object.entries(endpoints).filter(([, endpoint]) => "idempotent" in endpoint);
  return (
    <>
      <p>
        To retry a request safely after a lost connection, send an <code>Idempotency-Key</code> (up to{" "}
        {limits.idempotency.key} characters, for example a UUID). For {hours} hours a repeated request with
        the same key and the same body gets the first response again, with the header{" "}
        <code>idempotent-replayed: true</code>; with another body it gets 400. It belongs to the API key that
        it is sent with: sent with another key, it is a new request.
      </p>
      <p>Endpoints that accept it:</p>
      <ul>
        {ids.map(([id, { summary, tag }]) => (
          <li>
            <a href={`${groupPath(tag)}#${id}`}>{summary}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Paging() {
  return (
    <>
      <p>
        Lists that have a <code>nextCursor</code> come in pages of <code>limit</code> items. Pass it as{" "}
        <code>cursor</code>, with the same filters, for the next page; <code>null</code> means the end.
      </p>
      <p>
        A <code>limit</code> above the maximum is reduced to the maximum. Resources created while you read do
        not shift the pages.
      </p>
    </>
  );
}

/** A plain table whose first column is the row's header. */
function Rows({ caption, head, rows }: { caption: string; head: string[]; rows: Child[][] }) {
  return (
    <Table caption={caption} columns={head}>
      {rows.map(([name, ...cells]) => (
        <tr>
          <th scope="row">{name}</th>
          {cells.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
