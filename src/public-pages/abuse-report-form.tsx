import type { Child } from "hono/jsx";
import { limits } from "../contract/limits.ts";
import { AbuseReportReason } from "../contract/resources/abuse-reports.ts";
import type { AbuseReportProblems } from "../domain/abuse-reports/receive.ts";

/** The entries and problems with which the form is shown. */
export interface FormState {
  /** The entries, by field name. `page` is the id of the hosted page to report, if it is not a code. */
  readonly values: URLSearchParams;
  readonly problems: AbuseReportProblems;
  /** A message about the form as a whole. */
  readonly notice?: string;
}

const reasons: Record<AbuseReportReason, string> = {
  phishing: "Phishing: asks for passwords or money",
  malware: "Harmful software",
  spam: "Spam",
  illegal_content: "Illegal content",
  other: "Something else",
};

/** A form to report a code or a hosted page. Browsers validate it too, so problems are rare. */
export function AbuseReportForm({ state }: { state: FormState }) {
  const { values, notice } = state;
  const page = values.get("page");
  const entry = (name: Field) => ({ class: "entry", ...attributesOf(name, state) });
  return (
    <form method="post" action="/report">
      {notice !== undefined && (
        <p class="problem" role="alert">
          {notice}
        </p>
      )}
      {page === null ? (
        <Row
          name="code"
          label="Code"
          hint="The address printed with the code, or what follows its last slash"
          state={state}
        >
          <input
            {...entry("code")}
            type="text"
            required
            maxlength={200}
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            value={values.get("code") ?? ""}
          />
        </Row>
      ) : (
        <input type="hidden" name="page" value={page} />
      )}
      <fieldset class="field">
        <legend>What is wrong with it?</legend>
        <Problem name="reason" state={state} />
        {AbuseReportReason.options.map((reason, i) => (
          <label class="option">
            <input
              {...(i === 0 ? attributesOf("reason", state) : { name: "reason" })}
              id={`reason-${reason}`}
              type="radio"
              required
              value={reason}
              checked={values.get("reason") === reason}
            />
            <span>{reasons[reason]}</span>
          </label>
        ))}
      </fieldset>
      <Row
        name="details"
        label="Details (optional)"
        hint={`What happened, and when? Up to ${limits.abuseReport.details} characters`}
        state={state}
      >
        <textarea {...entry("details")} rows={4} maxlength={limits.abuseReport.details}>
          {values.get("details") ?? ""}
        </textarea>
      </Row>
      <Row
        name="email"
        label="Your e-mail address (optional)"
        hint="For questions about your report"
        state={state}
      >
        <input
          {...entry("email")}
          type="email"
          autocomplete="email"
          maxlength={254}
          value={values.get("email") ?? ""}
        />
      </Row>
      <button class="button" type="submit">
        Send report
      </button>
    </form>
  );
}

type Field = keyof AbuseReportProblems;

interface RowProps {
  name: Field;
  label: string;
  hint: string;
  state: FormState;
  children: Child;
}

function Row({ name, label, hint, state, children }: RowProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <p class="hint" id={`hint-${name}`}>
        {hint}
      </p>
      <Problem name={name} state={state} />
      {children}
    </div>
  );
}

function Problem({ name, state }: { name: Field; state: FormState }) {
  const problem = state.problems[name];
  return problem === undefined ? null : (
    <p class="problem" id={`problem-${name}`}>
      This {problem}.
    </p>
  );
}

/** Attributes common to all inputs of a field; the first field with a problem gets the focus. */
function attributesOf(name: Field, { problems }: FormState) {
  const hint = name === "reason" ? [] : [`hint-${name}`];
  const described = [...hint, ...(problems[name] === undefined ? [] : [`problem-${name}`])].join(" ");
  return {
    id: name,
    name,
    ...(described === "" ? {} : { "aria-describedby": described }),
    ...(problems[name] === undefined ? {} : { "aria-invalid": "true" as const }),
    ...(firstProblem(problems) === name ? { autofocus: true } : {}),
  };
}

const order: readonly Field[] = ["code", "reason", "details", "email"];
const firstProblem = (problems: AbuseReportProblems) => order.find((name) => problems[name] !== undefined);
