import { ServiceError } from "../../domain/errors.ts";
import { listOwnWorkspaces, switchWorkspace } from "../../domain/identity/members.ts";
import type { DashboardRequest, FormWorkspace } from "./request.ts";

/** The fields of a form that say whose it is. Every form that makes a change has the first one. */
export const formFields = { workspace: "workspaceId", switchBack: "switchBack" } as const;

/** Takes the workspace out of a form's fields; null if they name none. */
export function takeFormWorkspace(form: URLSearchParams): FormWorkspace | null {
  const id = form.get(formFields.workspace);
  const switchBack = form.has(formFields.switchBack);
  for (const name of Object.values(formFields)) form.delete(name);
  return id === null ? null : { id, switchBack };
}

/** A form of a workspace that the person has since left for another one, in another tab. */
export class FormOfOtherWorkspace extends ServiceError {
  readonly title: string;
  /** Whether the person can switch back to it. */
  readonly canSwitchBack: boolean;

  /** @param formOf the workspace's name; undefined if the person isn't a member of it */
  constructor(formOf: string | undefined, current: string) {
    const whose = formOf === undefined ? "a workspace that you're no longer a member of" : formOf;
    super("invalid_input", `This form belongs to ${whose}. Nothing was changed.`, { status: 409 });
    this.title =
      formOf === undefined ? `You're in ${current} now` : `You switched to ${current} in another tab`;
    this.canSwitchBack = formOf !== undefined;
  }
}

/**
 * Makes sure that a form changes only the workspace whose page it was on.
 * @returns whether the person has just switched back to that workspace, so that the form has to be sent again
 * @throws FormOfOtherWorkspace
 */
export async function switchesBack({
  deps,
  user,
  context,
  formWorkspace,
}: DashboardRequest): Promise<boolean> {
  if (formWorkspace === null || formWorkspace.id === context.workspaceId) return false;
  const { workspaces } = await listOwnWorkspaces(deps, context);
  const formOf = workspaces.find(({ id }) => id === formWorkspace.id);
  if (formOf === undefined || !formWorkspace.switchBack) {
    throw new FormOfOtherWorkspace(formOf?.name, user.workspaceName);
  }
  await switchWorkspace(deps, context, formOf.id);
  return true;
}
