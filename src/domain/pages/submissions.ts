import { limits } from "../../contract/limits.ts";
import type { Answers, Form, FormField } from "../../contract/resources/pages.ts";
import { email, manyLines, oneLine } from "../../contract/text.ts";
import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { visitorKey } from "../../edge/scans/visitor-key.ts";
import { hmac } from "../../lib/crypto/digest.ts";
import { log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import { networksOf } from "../../lib/web/network.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import { serviceActor } from "../../protocol/history.ts";
import type { PageRoute } from "../../protocol/routes.ts";
import type { SubmissionResult } from "../../protocol/workspace-ledger.ts";
import { isBeingDeleted } from "../../store/workspaces/deletion.ts";
import type { Deps } from "../deps.ts";
import { checkFormToken, guardFields, isTrapFilled } from "./form-guard.ts";
import { setFormClosed } from "./pages.ts";

/** The sender of a form. */
export interface Sender {
  readonly address: string;
  /** ISO 3166-1 alpha-2, if the edge knows it. Phone numbers may be in this country's national format. */
  readonly country: string | undefined;
}

/** Why a value is invalid. */
export type Problem =
  | "missing"
  | "unchecked"
  | "characters"
  | "email"
  | "option"
  | "phone"
  | { readonly maxCharacters: number };

/** Why values are invalid, by field name. */
export type Problems = Readonly<Record<string, Problem>>;

/**
 * The outcome of a form; the problems if any value is invalid. `limited`: the network sends too many per minute.
 * `limited-today`: it has sent too many to this page today. `closed`: the page has reached its limit. `trapped`: the
 * hidden field was filled in.
 */
export type Outcome =
  | "accepted"
  | "limited"
  | "limited-today"
  | "closed"
  | "trapped"
  | "early"
  | "expired"
  | Problems;

/**
 * Stores a form's submission and emits its event. Posting the same answers with the same token again changes nothing.
 * @param values as posted, by field name, including those of `guardFields`
 */
export async function submit(
  deps: Deps,
  page: PageRoute,
  form: Form,
  values: URLSearchParams,
  sender: Sender,
): Promise<Outcome> {
  const { pageId, workspaceId } = page;
  if ((await findExceeded(deps.submissionLimit, sender.address)) !== undefined) return "limited";
  const token = values.get(guardFields.token) ?? "";
  const checked = await checkFormToken(deps, pageId, token);
  if (checked === null) return "expired";
  const { fields, problems } = await readAnswers(form.fields, values, sender.country);
  if (Object.keys(problems).length > 0) return problems;
  if (isTrapFilled(values)) {
    log("info", "hidden field filled in", { pageId });
    return "trapped";
  }
  if (checked.isEarly) return "early";
  if (await isBeingDeleted(deps.db, workspaceId)) return "closed";
  const now = deps.now();
  const hash = async (key: CryptoKey, value: unknown, bytes: number) =>
    new Uint8Array(await hmac(key, JSON.stringify(value)), 0, bytes).toHex();
  const [network, site] = networksOf(sender.address);
  const visitors = await visitorKey(deps);
  const hashOfSender = (of: string) => hash(visitors, ["sender", pageId, of], 8);
  const submission = {
    id: newId(now),
    pageId,
    fingerprint: await hash(checked.key, [token, fields], 16),
    sender: await hashOfSender(network.network),
    ...(site !== undefined && { site: { sender: await hashOfSender(site.network), times: site.times } }),
    fields,
  };
  const { outcome, full, due } = await deps.ledger(workspaceId).submit(submission, now);
  await enqueueDeliveries(deps, workspaceId, due);
  // Any request that notices this publishes it, in case an earlier one failed to.
  if (full !== page.formClosed) {
    await setFormClosed(deps, { workspaceId, actor: serviceActor }, pageId, full);
  }
  return outcomes[outcome];
}

const outcomes = {
  stored: "accepted",
  repeated: "accepted",
  closed: "closed",
  limited: "limited-today",
} as const satisfies Record<SubmissionResult["outcome"], Outcome>;

async function readAnswers(
  fields: readonly FormField[],
  values: URLSearchParams,
  country: string | undefined,
): Promise<{ fields: Answers; problems: Problems }> {
  const results = await Promise.all(
    fields.map(async (field) => [field.name, await readAnswer(field, values, country)] as const),
  );
  return {
    fields: Object.fromEntries(
      results.flatMap(([name, { answer }]) => (answer === undefined ? [] : [[name, answer]])),
    ),
    problems: Object.fromEntries(
      results.flatMap(([name, { problem }]) => (problem === undefined ? [] : [[name, problem]])),
    ),
  };
}

interface ReadAnswer {
  readonly answer?: string | boolean;
  readonly problem?: Problem;
}

async function readAnswer(
  field: FormField,
  values: URLSearchParams,
  country: string | undefined,
): Promise<ReadAnswer> {
  if (field.type === "checkbox") {
    const checked = values.has(field.name);
    return field.required && !checked ? { problem: "unchecked" } : { answer: checked };
  }
  const entered = values.get(field.name)?.trim() ?? "";
  if (entered === "") {
    if (!field.required) return {};
    return { problem: field.type === "choice" ? "option" : "missing" };
  }
  const { line, text } = limits.submission;
  switch (field.type) {
    case "text":
      return parseAnswer(field.multiline ? manyLines(text) : oneLine(line), entered);
    case "email":
      return parseAnswer(email, entered);
    case "choice":
      return field.options.includes(entered) ? { answer: entered } : { problem: "option" };
    case "phone": {
      const { readPhone } = await import("../../lib/text/phone.ts");
      const read = readPhone(entered, { country });
      return read.ok ? { answer: read.phone } : { problem: "phone" };
    }
  }
}

function parseAnswer(
  schema: ReturnType<typeof oneLine> | ReturnType<typeof manyLines>,
  entered: string,
): ReadAnswer {
  const parsed = schema.safeParse(entered);
  if (parsed.success) return { answer: parsed.data };
  const [issue] = parsed.error.issues;
  if (issue?.code === "too_big") return { problem: { maxCharacters: Number(issue.maximum) } };
  return { problem: issue?.code === "invalid_format" ? "email" : "characters" };
}
