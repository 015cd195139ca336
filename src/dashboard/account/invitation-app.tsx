import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { InvitedInput, NewWorkspaceInput } from "../../contract/resources/identity/members.ts";
import { withFullStop } from "../../contract/sentences.ts";
import type { Deps } from "../../domain/deps.ts";
import { asServiceError } from "../../domain/errors.ts";
import {
  acceptInvitation,
  beginJoiningByInvitation,
  countInvitationAttempt,
  getInvitingLogo,
  getOpenInvitation,
  joinByInvitation,
} from "../../domain/identity/invitations.ts";
import { switchWorkspace } from "../../domain/identity/members.ts";
import {
  createWorkspace,
  howToGetWorkspace,
  mayCreateWorkspace,
} from "../../domain/identity/new-workspaces.ts";
import { answerBytes, PasskeyFailure } from "../../domain/identity/passkeys.ts";
import {
  personFromCookie,
  type SignedInPerson,
  sessionCookie,
  sessionMilliseconds,
} from "../../domain/identity/sessions.ts";
import { safeReturn } from "../../domain/identity/sign-in.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { describeDevice } from "../../lib/text/user-agent.ts";
import { answerDrawn } from "../../lib/web/file-response.ts";
import { clientAddressOf } from "../../lib/web/network.ts";
import type { Actor } from "../../protocol/history.ts";
import { plainDocument } from "../../ui/document.tsx";
import { emptyForm, type FormState } from "../../ui/forms/form.ts";
import { writeCookie } from "../frame/cookies.ts";
import { actorRequest, type DashboardEnv } from "../frame/env.ts";
import { readSubmitted } from "../frame/read-form.ts";
import { submitForm } from "../frame/submit-form.ts";
import { signInAddress } from "./app.tsx";
import { Invitation, NoWorkspace, UnusableInvitation } from "./invitation-pages.tsx";
import { rememberPasskey } from "./passkey-app.tsx";
import { statusOfPasskeyProblem } from "./passkey-form.tsx";

type C = Context<DashboardEnv>;

const show = async (c: C, title: string, content: Child, status: number = 200) =>
  c.html(
    await plainDocument(c.env.base, status === 200 ? title : `Problem: ${title}`, content),
    status as ContentfulStatusCode,
  );

const readPerson = (c: C): Promise<SignedInPerson | null> =>
  personFromCookie(c.env.deps, getCookie(c, sessionCookie(c.env.deps)));

const goTo = (c: C, path: string) => c.redirect(c.env.deps.settings.appOrigin + path, 303);

/**
 * The page for a signed-in person without a workspace.
 * @param returnTo the page that they asked for, to which they go on with a workspace of their own
 */
export async function showNoWorkspace(
  c: C,
  person: SignedInPerson,
  returnTo: string,
  form = emptyForm,
  status = 403,
): Promise<Response> {
  const { deps } = c.env;
  const advice = (await mayCreateWorkspace(deps, person)) ? null : howToGetWorkspace(deps);
  return show(c, "No workspace", <NoWorkspace form={form} advice={advice} returnTo={returnTo} />, status);
}

/** Why someone couldn't join, and the form that is shown again. */
interface Failed {
  readonly error: unknown;
  readonly form: FormState;
}

/**
 * The pages on which invited people join, and on which people without a workspace create one. They require no workspace,
 * and invitations no session.
 */
export function invitationRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();

  /** Shows what an invitation lets people join. @param failed the last attempt */
  async function showInvitation(c: C, token: string, failed?: Failed): Promise<Response> {
    const { deps } = c.env;
    const invitation = await getOpenInvitation(deps, token);
    const person = await readPerson(c);
    const isForNew = person === null && waysToSignIn(deps).passkeys && invitation.email === null;
    const passkeyProblem = failed?.error instanceof PasskeyFailure ? failed.error.problem : undefined;
    const refused = passkeyProblem === undefined ? asServiceError(failed?.error) : undefined;
    const hasProblems = Object.keys(failed?.form.problems ?? {}).length > 0;
    const page = (
      <Invitation
        invitation={invitation}
        person={person}
        logo={invitation.hasLogo ? `/dashboard/invitations/${token}/logo` : null}
        signIn={signInAddress(deps, `/dashboard/invitations/${token}`)}
        ceremony={isForNew ? await beginJoiningByInvitation(deps, token) : null}
        form={failed?.form ?? emptyForm}
        passkeyProblem={passkeyProblem}
        problem={refused && withFullStop(refused.message)}
      />
    );
    const status =
      passkeyProblem === undefined
        ? (refused?.status ?? (hasProblems ? 400 : 200))
        : statusOfPasskeyProblem[passkeyProblem];
    return show(c, `Join ${invitation.workspaceName}`, page, status);
  }

  /** Makes the person of the session a member, or lets someone new join with a passkey. */
  async function joinBy(c: C, token: string): Promise<Response> {
    const { deps } = c.env;
    const person = await readPerson(c);
    if (person !== null) {
      const { userId, name, email } = person;
      const actor: Actor = {
        kind: "person",
        id: userId,
        name: name ?? email ?? "Someone",
        ...actorRequest(c),
      };
      const { id } = await acceptInvitation(deps, { userId, actor }, token);
      await switchWorkspace(deps, person, id);
      return goTo(c, "/dashboard");
    }
    const { fields } = await readSubmitted(c.req.raw, { bytes: answerBytes, fields: 8 });
    const device = describeDevice(c.req.header("user-agent") ?? null);
    const given = {
      answer: fields.get("credential") ?? "",
      sealed: fields.get("sealed") ?? undefined,
      name: device ?? "Passkey",
    };
    const form = { values: fields, problems: {} };
    try {
      const outcome = await submitForm(InvitedInput, { name: fields.get("name") ?? "" }, ({ name }) =>
        joinByInvitation(deps, token, name, given, device, actorRequest(c)),
      );
      if ("rejection" in outcome) {
        const { problems } = outcome.rejection;
        return await showInvitation(c, token, { error: undefined, form: { ...form, problems } });
      }
      writeCookie(deps, c, sessionCookie(deps), outcome.done, sessionMilliseconds);
      rememberPasskey(c, deps);
      return goTo(c, "/dashboard");
    } catch (error) {
      if (!(error instanceof PasskeyFailure)) throw error;
      return showInvitation(c, token, { error, form });
    }
  }

  app.on(["GET", "POST"], "/invitations/:token", async (c) => {
    const { deps } = c.env;
    const token = c.req.param("token");
    await countInvitationAttempt(deps, clientAddressOf(c.req.raw));
    try {
      if (c.req.method !== "POST") return await showInvitation(c, token);
      return await joinBy(c, token).catch((error: unknown) => {
        const known = asServiceError(error);
        if (known === undefined || known.code === "not_found" || known.status >= 500) throw error;
        return showInvitation(c, token, { error, form: emptyForm });
      });
    } catch (error) {
      if (asServiceError(error)?.code !== "not_found") throw error;
      return show(c, "Invitation", <UnusableInvitation signIn={signInAddress(deps)} />, 404);
    }
  });

  app.get("/invitations/:token/logo", async (c) => {
    const { deps } = c.env;
    await countInvitationAttempt(deps, clientAddressOf(c.req.raw));
    const logo = await getInvitingLogo(deps, c.req.param("token"));
    return answerDrawn(c.req.raw, logo, "private, max-age=300");
  });

  app.post("/first-workspace", async (c) => {
    const { deps } = c.env;
    const person = await readPerson(c);
    if (person === null) return c.redirect(signInAddress(deps), 303);
    const { fields } = await readSubmitted(c.req.raw);
    const outcome = await submitForm(NewWorkspaceInput, { name: fields.get("name") ?? "" }, (input) =>
      createFirst(deps, person, input),
    );
    const returnTo = safeReturn(deps, c.req.query("return"));
    if ("done" in outcome) return goTo(c, returnTo);
    const { problems, status } = outcome.rejection;
    return showNoWorkspace(c, person, returnTo, { values: fields, problems }, status);
  });
  return app;
}

async function createFirst(deps: Deps, person: SignedInPerson, input: NewWorkspaceInput): Promise<void> {
  const { id } = await createWorkspace(deps, person, input);
  await switchWorkspace(deps, person, id);
}
