import { limits } from "../../contract/limits.ts";
import { listDeadLetters, retryDeadLetter, retryDeadLetters } from "../../domain/operations/dead-letters.ts";
import { queuesOf } from "../../domain/operations/queues.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatDate, formatNumber } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import { Views } from "../../ui/views.tsx";
import type { PageResponse, SeeOther } from "../frame/request.ts";
import type { OperatorRequest } from "./request.ts";

const path = "/operator/dead-letters";

type DeadLetter = Awaited<ReturnType<typeof listDeadLetters>>["items"][number];

/** The list's address. @param queue only its letters */
const listAddress = (queue: string | undefined): string =>
  queue === undefined ? path : `${path}?${new URLSearchParams({ queue })}`;

/** Messages that failed every retry, newest first. */
export async function deadLetterList({ deps, query }: OperatorRequest): Promise<PageResponse> {
  const names = Object.keys(queuesOf(deps));
  const queue = names.find((name) => name === query.get("queue"));
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await listDeadLetters(deps, {
    queue,
    cursor,
    limit: limits.operatorList.default,
  });
  return {
    title: "Dead letters",
    content: (
      <>
        {queue === undefined || items.length === 0 ? (
          <Head title="Dead letters" />
        ) : (
          <Head title="Dead letters">
            <PostForm action={`${path}/retry`}>
              <HiddenFields values={[["queue", queue]]} />
              <button class="button primary" type="submit">
                Retry the oldest 100
              </button>
            </PostForm>
          </Head>
        )}
        <Views
          label="Queues"
          views={[undefined, ...names].map((name) => [listAddress(name), name ?? "All"] as const)}
          current={listAddress(queue)}
        />
        {items.length === 0 ? (
          <Empty
            title="No dead letters"
            text="Messages that fail every retry are kept here, so that nothing is lost: scans for 14 days, others for 90."
          />
        ) : (
          <LetterTable letters={items} now={deps.now()} />
        )}
        <Pages address={listAddress(queue)} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

/** Puts a dead letter back on its queue. @throws not_found; internal (503) if the queue refuses */
export async function retryLetter({ deps, param }: OperatorRequest): Promise<SeeOther> {
  await retryDeadLetter(deps, param("id"));
  return { seeOther: path, flash: "letterRetried" };
}

/** Puts a queue's oldest dead letters back on it. @throws invalid_input; internal (503) if the queue refuses */
export async function retryQueue({ deps, form }: OperatorRequest): Promise<SeeOther> {
  const { queue } = await retryDeadLetters(deps, { queue: form.get("queue") ?? "" });
  return { seeOther: listAddress(queue), flash: "lettersRetried" };
}

const LetterTable = ({ letters, now }: { letters: readonly DeadLetter[]; now: number }) => (
  <Table
    kind="records"
    rows={letters}
    columns={[
      {
        head: "Queue",
        cell: ({ queue, body, bodyLength }) => (
          <>
            <strong>{queue}</strong>
            <details class="unfold letter">
              <summary>Show message</summary>
              <pre tabindex={0}>
                <code>{body}</code>
              </pre>
              {bodyLength > body.length && (
                <p class="small quiet">
                  The first {formatNumber(body.length)} of {formatNumber(bodyLength)} characters.
                </p>
              )}
            </details>
          </>
        ),
      },
      ["Failed", ({ createdAt }) => <RelativeTime time={createdAt} now={now} timeZone="UTC" />],
      ["Kept until", ({ expiresAt }) => formatDate(expiresAt), { priority: 2 }],
    ]}
    actions={({ id }) => <Action path={`${path}/${id}/retry`}>Retry</Action>}
  />
);
