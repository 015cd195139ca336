import { switchWorkspace } from "../../domain/identity/members.ts";
import type { DashboardRequest, SeeOther } from "../frame/request.ts";

/** Switches to another workspace of the person, whose overview follows. @throws not_found */
export async function switchTo({ deps, context, form }: DashboardRequest): Promise<SeeOther> {
  await switchWorkspace(deps, context, form.get("workspace") ?? "");
  return { seeOther: "/dashboard" };
}
