import { plans } from "../../../contract/plans.ts";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";
import { listKeys } from "../../../domain/identity/keys.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Head } from "../../../ui/head.tsx";
import { RowMenu } from "../../../ui/menu.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Table } from "../../../ui/table.tsx";
import { formatDate, formatNumber } from "../../../ui/values/format.ts";
import { rightsOf } from "../../../ui/values/key-rights.ts";
import { RelativeTime } from "../../../ui/values/relative-time.tsx";
import { UpgradeLink } from "../../frame/notices.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { ReferenceLink } from "../reference-link.tsx";
import { DeveloperTabs } from "../tabs.tsx";
import { Expiry } from "./expiry.tsx";
import { KeySamples } from "./key-samples.tsx";
import { keyTypeTexts, shortKey } from "./texts.ts";

const path = "/dashboard/developer/keys";

/** The keys of the workspace, oldest first. */
export async function keyList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const [{ keys }, timeZone] = await Promise.all([listKeys(deps, context), request.timeZone()]);
  return {
    title: "Keys",
    content: (
      <>
        <Head title="Developer">
          <a class="button primary" href={`${path}/new`}>
            New key
          </a>
          <ReferenceLink request={request} button>
            API reference
          </ReferenceLink>
        </Head>
        <DeveloperTabs current={path} />
        <PlanNote request={request} hasSecret={keys.some(({ type }) => type === "secret")} />
        {keys.length === 0 ? (
          <Empty
            title="No keys yet"
            text="With a key, your server or a web page creates codes and reads scans."
          >
            <a class="button primary" href={`${path}/new`}>
              Create key
            </a>
          </Empty>
        ) : (
          <>
            <KeyTable keys={keys} now={deps.now()} timeZone={timeZone} />
            <section class="card below" aria-labelledby="samples">
              <h2 id="samples">Create a code by API</h2>
              <KeySamples request={request} created={undefined} />
            </section>
          </>
        )}
      </>
    ),
  };
}

/** Points out that the plan has no secret keys, if the workspace has some. */
function PlanNote({
  request: { context, deps },
  hasSecret,
}: {
  request: DashboardRequest;
  hasSecret: boolean;
}) {
  const { title, secretKeys } = plans[context.plan];
  if (secretKeys || !hasSecret) return null;
  return (
    <Notice kind="warn">
      <p>
        Your {title} plan doesn't include secret keys: their requests are refused until you upgrade to{" "}
        {plans.pro.title}.
      </p>
      <UpgradeLink url={deps.settings.upgradeUrl} />
    </Notice>
  );
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  readonly now: number;
  readonly timeZone: string;
}

const KeyTable = ({ keys, now, timeZone }: TableProps) => (
  <Table
    kind="records"
    rows={keys}
    columns={[
      {
        head: "Key",
        cell: (key) => (
          <>
            <strong dir="auto">{key.name}</strong>
            <span class="second">
              <code>{shortKey(key)}</code> {keyTypeTexts[key.type].name}
            </span>
          </>
        ),
      },
      [
        "Allows",
        (key) => (
          <>
            {rightsOf(key)}
            {key.personConfirms && <span class="second quiet">Changes need approval</span>}
            {key.origins.length > 0 && <span class="second quiet">from {key.origins.join(", ")}</span>}
            {key.usesDomains === true && <span class="second quiet">Its codes answer at your domains</span>}
            <CreationsToday apiKey={key} />
          </>
        ),
      ],
      [
        "Created",
        ({ createdAt, createdBy }) => (
          <>
            {formatDate(createdAt, timeZone)}
            {createdBy !== null && <span class="second quiet">{creatorText(createdBy)}</span>}
          </>
        ),
        { kind: "nowrap" },
      ],
      [
        "Last used",
        ({ lastUsedAt }) =>
          lastUsedAt === null ? "Never" : <RelativeTime time={lastUsedAt} now={now} timeZone={timeZone} />,
      ],
      ["Expires", (key) => <Expiry apiKey={key} now={now} timeZone={timeZone} />],
    ]}
    actions={({ id, name, replacedBy, usesDomains }) => (
      <RowMenu
        name={name}
        items={[
          replacedBy === null && ["Rotate", "rotate-ccw", `${path}/${id}/rotate`],
          usesDomains !== undefined && [
            usesDomains ? "Keep off domains" : "Allow domains",
            "globe",
            `${path}/${id}/domains`,
          ],
          ["Revoke", "trash", `${path}/${id}/revoke`],
        ]}
      />
    )}
  />
);

/** Says who created a key. It goes on working when they leave. */
function creatorText({ name, member }: NonNullable<ApiKey["createdBy"]>): string {
  if (member) return `by ${name ?? "a member"}`;
  return name === null ? "by a former member" : `by ${name}, a former member`;
}

/** How many codes a publishable key created today. */
function CreationsToday({ apiKey: { creationsToday } }: { apiKey: ApiKey }) {
  if (creationsToday === undefined) return null;
  const { count, cap } = creationsToday;
  const created = count === null ? "An unknown number" : formatNumber(count);
  return (
    <span class="second quiet">
      {created} of {formatNumber(cap)} codes today
    </span>
  );
}
