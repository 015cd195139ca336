import type { Child } from "hono/jsx";
import { limits } from "../contract/limits.ts";
import { AbuseReportReason } from "../contract/resources/operations/abuse-reports.ts";
import type { AbuseReportProblems } from "../domain/abuse-reports/receive.ts";
import type { Texts } from "../ui/visitors/texts/texts.ts";

/** The form's values and problems. */
export interface FormState {
  /** The values, by field name. `page` is the id of the reported hosted page, if it isn't a code. */
  readonly values: URLSearchParams;
  readonly problems: AbuseReportProblems;
  /** Why the form as a whole was rejected. */
  readonly notice?: keyof Texts["abuse"]["notices"];
}

/** A form to report a code or hosted page. Browsers validate it too, so problems are rare. */
export function AbuseReportForm({ state, texts }: { state: FormState; texts: Texts }) {
  const { values, notice } = state;
  const { abuse } = texts;
  const { link, details } = limits.abuseReport;
  const page = values.get("page");
  const entry = (name: Field) => ({ class: "entry", ...controlAttributes(name, state) });
  return (
    <form method="post" action="/report">
      {notice !== undefined && (
        <p class="problem" role="alert">
          {abuse.notices[notice]}
        </p>
      )}
      {page === null ? (
        <Row
          name="code"
          label={abuse.code.label}
          hint={abuse.code.hint}
          problem={problemText("code", state, texts)}
        >
          <input
            {...entry("code")}
            type="text"
            required
            maxlength={link}
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
        <legend>{abuse.reason}</legend>
        <Problem name="reason" text={problemText("reason", state, texts)} />
        {AbuseReportReason.options.map((reason, i) => (
          <label class="option">
            <input
              {...(i === 0 ? controlAttributes("reason", state) : { name: "reason" })}
              id={`reason-${reason}`}
              type="radio"
              required
              value={reason}
              checked={values.get("reason") === reason}
            />
            <span>{abuse.reasons[reason]}</span>
          </label>
        ))}
      </fieldset>
      <Row
        name="details"
        label={abuse.details.label}
        hint={abuse.details.hint(details)}
        problem={problemText("details", state, texts)}
      >
        <textarea {...entry("details")} rows={4} maxlength={details}>
          {values.get("details") ?? ""}
        </textarea>
      </Row>
      <Row
        name="email"
        label={abuse.email.label}
        hint={abuse.email.hint}
        problem={problemText("email", state, texts)}
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
        {abuse.send}
      </button>
    </form>
  );
}

type Field = keyof AbuseReportProblems;

interface RowProps {
  name: Field;
  label: string;
  hint: string;
  problem: string | undefined;
  children: Child;
}

function Row({ name, label, hint, problem, children }: RowProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <p class="hint" id={`hint-${name}`}>
        {hint}
      </p>
      <Problem name={name} text={problem} />
      {children}
    </div>
  );
}

function Problem({ name, text }: { name: Field; text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" id={`problem-${name}`}>
      {text}
    </p>
  );
}

/** Returns the sentence for a field with an invalid value. */
function problemText(name: Field, { problems }: FormState, texts: Texts): string | undefined {
  if (problems[name] === undefined) return undefined;
  const { problems: words, abuse } = texts;
  switch (name) {
    case "code":
      return problems.code === "tooLong" ? words.tooLong(limits.abuseReport.link) : abuse.code.problem;
    case "reason":
      return words.option;
    case "email":
      return words.email;
    case "details":
      return problems.details === "tooLong" ? words.tooLong(limits.abuseReport.details) : words.characters;
  }
}

/** Returns the attributes common to all inputs of a field. The first field with a problem gets the focus. */
function controlAttributes(name: Field, { problems }: FormState) {
  const hint = name === "reason" ? [] : [`hint-${name}`];
  const described = [...hint, ...(problems[name] === undefined ? [] : [`problem-${name}`])].join(" ");
  return {
    id: name,
    name,
    ...(described === "" ? {} : { "aria-describedby": described }),
    ...(problems[name] === undefined ? {} : { "aria-invalid": "true" as const }),
    ...(firstWrongField(problems) === name ? { autofocus: true } : {}),
  };
}

const order: readonly Field[] = ["code", "reason", "details", "email"];
const firstWrongField = (problems: AbuseReportProblems) => order.find((name) => problems[name] !== undefined);
