import { limits } from "../../contract/limits.ts";
import { deleteQr, getQr, updateQr } from "../../domain/codes/codes.ts";
import { restoreQr } from "../../domain/codes/restoration.ts";
import { Confirm } from "../components/forms/confirm.tsx";
import type { PageAnswer, SeeOther, Visit } from "../frame/visit.ts";
import { titleOf } from "./form/types.ts";

const pageOf = (visit: Visit): string => `/dashboard/codes/${visit.param("id")}`;

/** Stops redirecting scans. */
export async function pauseCode(visit: Visit): Promise<SeeOther> {
  await updateQr(visit.deps, visit.owner, visit.param("id"), { status: "paused" });
  return { seeOther: pageOf(visit), flash: "paused" };
}

/** Redirects scans again. */
export async function resumeCode(visit: Visit): Promise<SeeOther> {
  await updateQr(visit.deps, visit.owner, visit.param("id"), { status: "active" });
  return { seeOther: pageOf(visit), flash: "resumed" };
}

/** Asks whether to delete a code. */
export async function confirmDeletion(visit: Visit): Promise<PageAnswer> {
  const qr = await getQr(visit.deps, visit.owner, visit.param("id"));
  const title = `Delete ${titleOf(qr)}?`;
  return {
    title,
    content: (
      <Confirm title={title} action="Delete the code" back={{ path: pageOf(visit), name: titleOf(qr) }}>
        <p>
          <strong>Scans of {qr.scanUrl} stop working at once</strong>, also where the code is printed.
        </p>
        <p>
          Its scans stay in your reports. You can restore the code for {limits.deletedDays} days. Its address
          is never given to another code.
        </p>
        <p>To stop scans for a while, pause the code instead.</p>
      </Confirm>
    ),
  };
}

/** Makes a deleted code work again. */
export async function restoreCode(visit: Visit): Promise<SeeOther> {
  await restoreQr(visit.deps, visit.owner, visit.param("id"));
  return { seeOther: pageOf(visit), flash: "restored" };
}

/** Deletes a code. */
export async function deleteCode(visit: Visit): Promise<SeeOther> {
  await deleteQr(visit.deps, visit.owner, visit.param("id"));
  return { seeOther: "/dashboard/codes", flash: "deleted" };
}
