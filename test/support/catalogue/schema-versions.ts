import { newId } from "../../../src/lib/text/ids.ts";

export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;
/** Rows for every table of a schema version, by table name, in order of the primary key. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** The time of the rows. In the future, so that no alarm fires during a test. */
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

const webhook = {
  url: "https://example.com/hook",
  events: '["qr.created","qr.scanned"]',
  scope_page_id: null,
  status: "active",
  paused_reason: null,
  secret: "current",
  created_at: start,
  probe: null,
  ended_events: 1,
};
const delivery = {
  webhook: 1,
  event_id: null,
  event: "qr.created",
  body: '{"event":"qr.created"}',
  status: "succeeded",
  single_attempt: 0,
  attempts: 1,
  created_at: start,
  first_attempt_at: start,
  next_attempt_at: null,
  lease_until: null,
  completed_at: start + 30_000,
  last_status: 200,
  last_error: null,
  erased: 0,
  event_count: 1,
  replay: null,
};

const version1: Tables = {
  codes: [
    { ref: 1, qr_id: ids.qr, hash: "h0000001", scans: 2, visitors: 1, counted_from: 0, stored_from: 0 },
  ],
  clients: [
    { ref: 1, device: "mobile", os: "iOS", browser: "" },
    { ref: 2, device: "", os: "", browser: "" },
  ],
  agents: [
    { ref: 1, user_agent: "Phone/1", bot: 0, client: 1, day: 0 },
    { ref: 2, user_agent: "Googlebot/2.1", bot: 1, client: 2, day: 0 },
  ],
  places: [{ ref: 1, country: "DE", city: "Köln", day: 0 }],
  referrers: [],
  scans: ids.scans.map((id) => ({
    id: blob(id),
    code: 1,
    agent: 1,
    place: 1,
    visitor: null,
    referrer: 0,
    first: 0,
  })),
  bot_scans: [{ id: blob(ids.bot), code: 1, agent: 2 }],
  visitors: [{ code: 1, visitor: blob("00000000000000aa") }],
  counted_scans: [],
  recent_scans: [],
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
  rollups: [],
  archives: [],
  erasures: [],
  submissions: [
    { id: ids.submission, page_id: ids.page, fingerprint: "f1", fields: '{"email":"a@example.com"}' },
  ],
  submission_fields: [
    { ref: 1, page_id: ids.page, name: "name" },
    { ref: 2, page_id: ids.page, name: "email" },
  ],
  submission_counts: [{ page_id: ids.page, submissions: 1 }],
  submission_senders: [],
  // Inserted before their webhooks, whose counts the triggers would change.
  deliveries: [
    { ...delivery, id: ids.succeeded, event_id: "event-1", attempts: 2 },
    {
      ...delivery,
      id: ids.pending,
      status: "pending",
      single_attempt: 1,
      first_attempt_at: start + 5,
      next_attempt_at: start + 30_000,
      completed_at: null,
      last_status: null,
      last_error: "No response within 10 s",
    },
    { ...delivery, id: ids.batch, webhook: 2, event: "batch" },
  ],
  webhooks: [
    {
      ...webhook,
      ref: 1,
      id: ids.realtime,
      scope_qr_id: ids.qr,
      mode: "realtime",
      previous_secret: "previous",
      previous_secret_until: start + day,
      consecutive_failures: 3,
      failed_attempts: 6,
      backoff_until: start + 60_000,
      backoff_step: 2,
      last_enqueued_at: start + 1000,
      batch_closes_at: null,
      open_events: 0,
      open_bytes: 0,
      pending_events: 1,
    },
    {
      ...webhook,
      ref: 2,
      id: ids.batched,
      scope_qr_id: null,
      mode: "batched_5m",
      previous_secret: null,
      previous_secret_until: null,
      consecutive_failures: 0,
      failed_attempts: 0,
      backoff_until: 0,
      backoff_step: 0,
      last_enqueued_at: 0,
      batch_closes_at: start + 300_000,
      open_events: 1,
      open_bytes: 130,
      pending_events: 0,
    },
  ],
  attempts: [
    {
      delivery: ids.succeeded,
      attempt: 2,
      started_at: start + 30_000,
      status: 200,
      duration_ms: 12,
      error: null,
      response_body: "ok",
    },
  ],
  batch_events: [
    { webhook: 2, event_id: "event-1", event: "qr.created", at: start, data: null, delivery: ids.batch },
    { webhook: 2, event_id: "event-2", event: "qr.created", at: start, data: '{"id":"x"}', delivery: null },
  ],
  replays: [],
};

const withHistory: Tables = { ...version1, history: [], history_size: [{ rows: 0, bytes: 0 }] };

const withKeys: Tables = {
  ...withHistory,
  webhooks: (withHistory.webhooks ?? []).map((row) => ({ ...row, key_id: null })),
};

const withVias: Tables = {
  ...withKeys,
  scans: (withKeys.scans ?? []).map((row) => ({ ...row, via: 0 })),
  vias: [],
};

const withHeaders: Tables = {
  ...withVias,
  webhooks: (withVias.webhooks ?? []).map((row) => ({ ...row, headers: null })),
};

const withBotRules: Tables = {
  ...withHeaders,
  bot_scans: (withHeaders.bot_scans ?? []).map((row) => ({ ...row, rule: 0 })),
  bot_rules: [],
  visitor_changes: [{ at: start }],
};

const withClosedScans: Tables = { ...withBotRules, closed_scans: [], domain_visits: [] };

const withCopiedTotals: Tables = {
  ...withClosedScans,
  codes: (withClosedScans.codes ?? []).map((row) => ({ ...row, copied: 0 })),
  // All codes are due.
  uncopied_codes: [{ code: -1 }],
};

/** The same data in each schema version of a WorkspaceLedger, from version 1. */
export const ledgerVersions: readonly Tables[] = [
  ...[version1, withHistory, withHistory, withKeys, withVias, withHeaders, withBotRules, withClosedScans],
  withCopiedTotals,
];
