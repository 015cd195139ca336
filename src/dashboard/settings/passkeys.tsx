import { limits } from "../../contract/limits.ts";
import { PasskeyInput } from "../../contract/resources/identity/sign-in.ts";
import {
  addPasskey,
  beginAddingPasskey,
  getPasskey,
  listPasskeys,
  markPasskeysSeen,
  type Passkey,
  PasskeyFailure,
  type PasskeyProblem,
  removePasskey,
  renamePasskey,
  requirePasskeys,
} from "../../domain/identity/passkeys.ts";
import { requireRecentSignIn } from "../../domain/identity/recent-sign-in.ts";
import { Empty } from "../../ui/empty.tsx";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RowMenu } from "../../ui/menu.tsx";
import { Table } from "../../ui/table.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import { PasskeyForm, PasskeyNotice, statusOfPasskeyProblem } from "../account/passkey-form.tsx";
import { change } from "../frame/change.ts";
import { confirmPage, namePage } from "../frame/form-page.tsx";
import type {
  Answer,
  DashboardRequest,
  DashboardResponse,
  PageResponse,
  SeeOther,
} from "../frame/request.ts";
import { SettingsPage, settingsPath } from "../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

const path = `${settingsPath}/passkeys`;
const back = { path, name: "Passkeys" } as const;

/** The person's passkeys, oldest first. @throws not_found if there are no passkeys here */
export async function passkeyList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, timeZone } = request;
  requirePasskeys(deps);
  const [passkeys, zone] = await Promise.all([listPasskeys(deps, context), timeZone()]);
  const add = (
    <a class="button primary" href={`${path}/new`}>
      <Icon name="plus" />
      Add passkey
    </a>
  );
  return {
    title: "Passkeys",
    content: (
      <SettingsPage request={request} title="Passkeys" action={passkeys.length > 0 ? add : undefined}>
        {passkeys.length === 0 ? (
          <Empty
            title="No passkeys yet"
            text="A passkey signs you in with your fingerprint, your face or the lock of your device."
          >
            {add}
          </Empty>
        ) : (
          <PasskeyTable passkeys={passkeys} now={deps.now()} timeZone={zone} />
        )}
      </SettingsPage>
    ),
  };
}

interface TableProps {
  readonly passkeys: readonly Passkey[];
  readonly now: number;
  readonly timeZone: string;
}

const PasskeyTable = ({ passkeys, now, timeZone }: TableProps) => (
  <Table
    kind="records"
    rows={passkeys}
    columns={[
      { head: "Name", cell: ({ name }) => <strong>{name}</strong> },
      ["Created", ({ createdAt }) => formatDate(createdAt, timeZone), { kind: "nowrap" }],
      [
        "Last used",
        ({ lastUsedAt }) =>
          lastUsedAt === null ? "Never" : <RelativeTime time={lastUsedAt} now={now} timeZone={timeZone} />,
      ],
    ]}
    actions={({ id, name }) => (
      <RowMenu
        name={name}
        items={[
          ["Rename", "pencil", `${path}/${id}/rename`],
          ["Remove", "trash", `${path}/${id}/remove`],
        ]}
      />
    )}
  />
);

const noProblems = {};

/** The form to add a passkey. @throws SignInAgain */
export const newPasskey = (request: DashboardRequest): Promise<PageResponse> =>
  showNew(request, { values: new URLSearchParams(), problems: noProblems });

async function showNew(
  { deps, context, user }: DashboardRequest,
  form: FormState,
  problem?: PasskeyProblem,
): Promise<PageResponse> {
  requirePasskeys(deps);
  const { name, email, workspaceName } = user;
  const { options, sealed } = await beginAddingPasskey(deps, context, name ?? email ?? workspaceName);
  const isRefused = problem !== undefined || Object.keys(form.problems).length > 0;
  return {
    title: isRefused ? "Problem: Add passkey" : "Add passkey",
    status: statusOf(problem) ?? (isRefused ? 400 : 200),
    content: (
      <>
        <Head title="Add passkey" back={back} />
        <div class="narrow-form">
          <PasskeyNotice problem={problem} />
          <Problems form={form} labels={{ name: "Name" }} />
          <PasskeyForm kind="create" options={options} sealed={sealed}>
            <TextField
              form={form}
              name="name"
              label="Name"
              hint="Where you keep it, such as Work laptop"
              maxLength={limits.name}
              required
            />
            <FormButtons submit="Add passkey" back={path} />
          </PasskeyForm>
        </div>
      </>
    ),
  };
}

/** Only problems that can occur here have a status of a page. */
function statusOf(problem: PasskeyProblem | undefined): 400 | 403 | 409 | undefined {
  if (problem === undefined) return undefined;
  const status = statusOfPasskeyProblem[problem];
  return status === 429 || status === 404 ? 400 : status;
}

/** Adds a passkey; shows the form again if that fails. @throws SignInAgain */
export async function savePasskey(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  requirePasskeys(deps);
  const given = { answer: form.get("credential") ?? "", sealed: form.get("sealed") ?? undefined };
  try {
    const outcome = await submitForm(PasskeyInput, { name: form.get("name") ?? "" }, ({ name }) =>
      addPasskey(deps, context, { ...given, name }),
    );
    if ("done" in outcome) return { seeOther: path, flash: "passkeyAdded" };
    return showNew(request, { values: form, problems: outcome.rejection.problems });
  } catch (error) {
    if (!(error instanceof PasskeyFailure)) throw error;
    return showNew(request, { values: form, problems: noProblems }, error.problem);
  }
}

/** Takes new passkeys as known in this session. */
export async function acknowledgePasskeys({ deps, context }: DashboardRequest): Promise<SeeOther> {
  await markPasskeysSeen(deps, context);
  return { seeOther: path };
}

/** The form to rename a passkey. @throws not_found */
export async function editPasskey({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const passkey = await getPasskey(deps, context, param("id"));
  return showRename(passkey, new URLSearchParams({ name: passkey.name }));
}

/** Renames a passkey; shows the form again if that fails. @throws not_found */
export async function savePasskeyName({
  deps,
  context,
  param,
  form,
}: DashboardRequest): Promise<DashboardResponse> {
  const passkey = await getPasskey(deps, context, param("id"));
  const outcome = await submitForm(PasskeyInput, { name: form.get("name") ?? "" }, ({ name }) =>
    renamePasskey(deps, context, passkey.id, name),
  );
  if ("rejection" in outcome) return showRename(passkey, form, outcome.rejection);
  return { seeOther: path, flash: "passkeyRenamed" };
}

const showRename = ({ name }: Passkey, values: URLSearchParams, rejection?: Rejection): PageResponse =>
  namePage({
    ...{ title: `Rename ${name}`, back, values, rejection },
    ...{ name: "name", maxLength: limits.name, submit: "Rename passkey" },
  });

/** Asks for confirmation before removing a passkey. @throws not_found, SignInAgain */
export const confirmPasskeyRemoval: Answer = async ({ deps, context, param }) => {
  requireRecentSignIn(deps, context);
  const { name } = await getPasskey(deps, context, param("id"));
  return confirmPage(
    { title: `Remove ${name}?`, action: "Remove passkey", back },
    <>
      <p>
        <strong>It no longer signs you in.</strong> Your sessions go on until they end or you sign out
        everywhere.
      </p>
      <p>Your device still lists the passkey. You can delete it there, too.</p>
    </>,
  );
};

export const deletePasskey = change(removePasskey, path, "passkeyRemoved");
