import { newId } from "../../src/lib/text/ids.ts";

export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;
/** Rows for every table of a schema version, by the table's name, in order of the primary key. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** The time of the rows. It is in the future, so that no alarm fires during a test. */
export const start = Date.UTC(2100, 0, 1);
const day = 24 * 60 * 60 * 1000;

const blob = (id: string) =>
  Uint8Array.from(id.replaceAll("-", "").match(/../g) ?? [], (hex) => Number(`0x${hex}`));

export const ids = {
  qr: "01900000-0000-7000-8000-0000000000aa",
  scans: [newId(start), newId(start + 1)],
  bot: newId(start + 2),
  page: "01900000-0000-7000-8000-0000000000bb",
  submission: newId(start),
  realtime: "01900000-0000-7000-8000-000000000001",
  batched: "01900000-0000-7000-8000-000000000002",
  succeeded: "01900000-0000-7000-8000-000000000011",
  pending: "01900000-0000-7000-8000-000000000012",
  batch: "01900000-0000-7000-8000-000000000021",
} as const;

const scanRows = {
  codes: [{ ref: 1, qr_id: ids.qr, hash: "h0000001", scans: 2, visitors: 1 }],
  agents: [
    { ref: 1, user_agent: "Phone/1", device: "mobile", os: "iOS", bot: 0 },
    { ref: 2, user_agent: "Googlebot/2.1", device: null, os: null, bot: 1 },
  ],
  places: [{ ref: 1, country: "DE", city: "Köln" }],
  scans: ids.scans.map((id) => ({ id: blob(id), code: 1, agent: 1, place: 1 })),
  visitors: [{ code: 1, visitor: blob("00000000000000aa") }],
} satisfies Tables;
const botScans = [{ id: blob(ids.bot), code: 1, agent: 2 }];
const dailyTotal = { code: 1, day: start / day, scans: 2, new_visitors: 1 };

const submissionRows: Tables = {
  submissions: [
    { id: ids.submission, page_id: ids.page, fingerprint: "f1", fields: '{"email":"a@example.com"}' },
  ],
  submission_fields: [
    { ref: 1, page_id: ids.page, name: "name" },
    { ref: 2, page_id: ids.page, name: "email" },
  ],
};

const realtime = {
  ref: 1,
  id: ids.realtime,
  url: "https://example.com/hook",
  events: '["qr.created","qr.scanned"]',
  scope_qr_id: ids.qr,
  scope_page_id: null,
  mode: "realtime",
  status: "active",
  paused_reason: null,
  secret: "current",
  created_at: start,
  batch_closes_at: null,
};
const batched = {
  ...realtime,
  ref: 2,
  id: ids.batched,
  scope_qr_id: null,
  mode: "batched_5m",
  batch_closes_at: start + 300_000,
};

const succeeded = {
  id: ids.succeeded,
  webhook: 1,
  event_id: "event-1",
  event: "qr.created",
  body: '{"event":"qr.created"}',
  status: "succeeded",
  attempts: 2,
  created_at: start,
  lease_until: null,
  completed_at: start + 30_000,
  last_status: 200,
  last_error: null,
};
const pending = {
  ...succeeded,
  id: ids.pending,
  event_id: null,
  status: "pending",
  attempts: 1,
  completed_at: null,
  last_status: null,
  last_error: "No answer within 10 s",
};
const batchDelivery = {
  ...succeeded,
  id: ids.batch,
  webhook: 2,
  event_id: null,
  event: "batch",
  attempts: 1,
};

const attempt = { delivery: ids.succeeded, attempt: 2, status: 200, error: null };
const batchEvents: readonly Row[] = [
  { webhook: 2, event_id: "event-1", event: "qr.created", at: start, data: null, delivery: ids.batch },
  { webhook: 2, event_id: "event-2", event: "qr.created", at: start, data: '{"id":"x"}', delivery: null },
];

const whole = { erased: 0, event_count: 1 };

const thirdVersion = {
  counted_scans: [],
  submission_counts: [{ page_id: ids.page, submissions: 1 }],
  submission_senders: [],
  // Before their webhooks, whose counts the triggers would change.
  deliveries: [
    { ...succeeded, ...whole, single_attempt: 0, first_attempt_at: start, next_attempt_at: null },
    { ...pending, ...whole, single_attempt: 1, first_attempt_at: start + 5, next_attempt_at: start + 30_000 },
    { ...batchDelivery, ...whole, single_attempt: 0, first_attempt_at: start, next_attempt_at: null },
  ],
  ...scanRows,
  bot_scans: botScans,
  daily_totals: [{ ...dailyTotal, bot_scans: 1 }],
  ...submissionRows,
  webhooks: [
    {
      ...realtime,
      previous_secret: "previous",
      previous_secret_until: start + day,
      consecutive_failures: 3,
      failed_attempts: 6,
      backoff_step: 2,
      probe: null,
      backoff_until: start + 60_000,
      last_enqueued_at: start + 1000,
      ended_events: 1,
      open_events: 0,
      open_bytes: 0,
    },
    {
      ...batched,
      previous_secret: null,
      previous_secret_until: null,
      consecutive_failures: 0,
      failed_attempts: 0,
      backoff_step: 0,
      probe: null,
      backoff_until: 0,
      last_enqueued_at: 0,
      ended_events: 1,
      open_events: 1,
      open_bytes: 130,
    },
  ],
  attempts: [{ ...attempt, started_at: start + 30_000, duration_ms: 12, response_body: "ok" }],
  batch_events: batchEvents,
} satisfies Tables;

const fourthVersion = {
  ...thirdVersion,
  webhooks: thirdVersion.webhooks.map((row) => ({ ...row, pending_events: row.ref === 1 ? 1 : 0 })),
} satisfies Tables;

const { daily_totals: _, ...keptInFifth } = fourthVersion;
const fifthVersion = {
  ...keptInFifth,
  clients: [
    { ref: 1, device: "mobile", os: "iOS", browser: "" },
    { ref: 2, device: "", os: "", browser: "" },
  ],
  agents: [
    { ref: 1, user_agent: "Phone/1", bot: 0, client: 1 },
    { ref: 2, user_agent: "Googlebot/2.1", bot: 1, client: 2 },
  ],
  scans: keptInFifth.scans.map((row) => ({ ...row, visitor: null, referrer: 0, first: 0 })),
  referrers: [],
  arrivals: [],
  generations: [
    {
      ref: 1,
      zone: "UTC",
      state: "active",
      cursor: blob("0".repeat(32)),
      scans: 0,
      folded_at: 0,
      earlier_zones: "[]",
      copied_code: null,
      copied_day: null,
      archive: 0,
      archive_lines: 0,
    },
  ],
  archives: [],
  rollups: [],
} satisfies Tables;

const sixthVersion: Tables = {
  ...fifthVersion,
  codes: fifthVersion.codes.map((row) => ({ ...row, counted_from: 0, stored_from: 0 })),
  erasures: [],
};

const seventhVersion: Tables = {
  ...sixthVersion,
  deliveries: fifthVersion.deliveries.map((row) => ({ ...row, replay: null })),
  replays: [],
};

const eighthVersion: Tables = {
  ...seventhVersion,
  agents: fifthVersion.agents.map((row) => ({ ...row, day: 0 })),
  places: fifthVersion.places.map((row) => ({ ...row, day: 0 })),
  referrers: [],
};

const { arrivals = [], ...keptInNinth } = eighthVersion;
const ninthVersion: Tables = { ...keptInNinth, recent_scans: arrivals };

/** The same data in each schema version of a WorkspaceLedger, from version 1. */
export const ledgerVersions: readonly Tables[] = [
  {
    ...scanRows,
    machine_scans: botScans,
    days: [{ ...dailyTotal, machine_scans: 1 }],
    ...submissionRows,
    webhooks: [
      {
        ...realtime,
        old_secret: "previous",
        old_secret_until: start + day,
        exhausted: 3,
        timeouts: 6,
        put_off_until: start + 60_000,
        told_at: start + 1000,
      },
      {
        ...batched,
        old_secret: null,
        old_secret_until: null,
        exhausted: 0,
        timeouts: 0,
        put_off_until: 0,
        told_at: 0,
      },
    ],
    deliveries: [
      { ...succeeded, once: 0, began_at: start, next_at: null },
      { ...pending, once: 1, began_at: start + 5, next_at: start + 30_000 },
      { ...batchDelivery, once: 0, began_at: start, next_at: null },
    ],
    attempts: [{ ...attempt, at: start + 30_000, duration: 12, response: "ok" }],
    batch_events: batchEvents,
  },
  {
    ...scanRows,
    bot_scans: botScans,
    daily_totals: [{ ...dailyTotal, bot_scans: 1 }],
    ...submissionRows,
    webhooks: [
      {
        ...realtime,
        previous_secret: "previous",
        previous_secret_until: start + day,
        consecutive_failures: 3,
        consecutive_timeouts: 6,
        backoff_until: start + 60_000,
        last_enqueued_at: start + 1000,
      },
      {
        ...batched,
        previous_secret: null,
        previous_secret_until: null,
        consecutive_failures: 0,
        consecutive_timeouts: 0,
        backoff_until: 0,
        last_enqueued_at: 0,
      },
    ],
    deliveries: [
      { ...succeeded, single_attempt: 0, first_attempt_at: start, next_attempt_at: null },
      { ...pending, single_attempt: 1, first_attempt_at: start + 5, next_attempt_at: start + 30_000 },
      { ...batchDelivery, single_attempt: 0, first_attempt_at: start, next_attempt_at: null },
    ],
    attempts: [{ ...attempt, started_at: start + 30_000, duration_ms: 12, response_body: "ok" }],
    batch_events: batchEvents,
  },
  thirdVersion,
  fourthVersion,
  fifthVersion,
  sixthVersion,
  seventhVersion,
  eighthVersion,
  ninthVersion,
];
