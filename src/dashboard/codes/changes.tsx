import { limits } from "../../contract/limits.ts";
import { deleteQr, eraseQr, getDeletedQr, getQr, restoreQr, updateQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../frame/request.ts";
import { listToReturnTo } from "./list/search.ts";

const pageOf = (request: DashboardRequest): string => `/dashboard/codes/${request.param("id")}`;

/** Returns where a change made in a row of the list leads: back to the list as it was. */
const afterChange = (request: DashboardRequest): string => listToReturnTo(request.form, pageOf(request));

/** Stops redirecting scans. */
export async function pauseCode(request: DashboardRequest): Promise<SeeOther> {
  await updateQr(request.deps, request.context, request.param("id"), { status: "paused" });
  return { seeOther: afterChange(request), flash: "paused", subject: request.param("id") };
}

/** Redirects scans again. */
export async function resumeCode(request: DashboardRequest): Promise<SeeOther> {
  await updateQr(request.deps, request.context, request.param("id"), { status: "active" });
  return { seeOther: afterChange(request), flash: "resumed", subject: request.param("id") };
}

/** Asks for confirmation before deleting a code. */
export async function confirmDeletion(request: DashboardRequest): Promise<PageResponse> {
  const qr = await getQr(request.deps, request.context, request.param("id"));
  const title = `Delete ${codeTitle(qr)}?`;
  return confirmPage(
    { title, action: "Delete code", back: { path: pageOf(request), name: codeTitle(qr) } },
    <>
      <p>
        <strong>Scans of {qr.scanUrl} stop working at once</strong>, including those of printed codes.
      </p>
      <p>
        Its scans stay in your reports. You can restore the code from the bin for {limits.deletedDays} days.
        Its short link is never given to another code.
      </p>
      <p>To stop scans for a while, pause the code instead.</p>
    </>,
  );
}

/** Asks for confirmation before erasing a deleted code. @throws not_found for any other */
export async function confirmCodeErasure(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const { qr } = await getDeletedQr(deps, context, request.param("id"));
  const title = `Erase ${codeTitle(qr)}?`;
  return confirmPage(
    { title, action: "Erase code", back: binPage },
    <>
      <p>
        <strong>It can't be restored any more.</strong> Scans of {qr.scanUrl} go on finding nothing.
      </p>
      <p>
        Its scans stay in your reports.{" "}
        {qr.externalId !== null && `Its own id ${qr.externalId} can be given to another code. `}
        Its short link never is.
      </p>
    </>,
  );
}

/** Erases a deleted code. */
export async function eraseCode({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await eraseQr(deps, context, param("id"));
  return { seeOther: binPage.path, flash: "codeErased" };
}

const binPage = { path: "/dashboard/bin?kind=code", name: "Bin" } as const;

/** Makes a deleted code work again. */
export async function restoreCode(request: DashboardRequest): Promise<SeeOther> {
  await restoreQr(request.deps, request.context, request.param("id"));
  return { seeOther: pageOf(request), flash: "restored" };
}

/** Deletes a code. */
export async function deleteCode(request: DashboardRequest): Promise<SeeOther> {
  await deleteQr(request.deps, request.context, request.param("id"));
  return { seeOther: "/dashboard/codes", flash: "deleted", subject: request.param("id") };
}
