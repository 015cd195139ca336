import { limits } from "../../contract/limits.ts";
import type { QrStatus } from "../../contract/resources/enums.ts";
import { deleteQr, eraseQr, getDeletedQr, getQr, restoreQr, updateQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { change } from "../frame/change.ts";
import type { FlashName } from "../frame/flash.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { Answer } from "../frame/request.ts";
import { listToReturnTo } from "./list/search.ts";

const pageOf = (id: string): string => `/dashboard/codes/${id}`;

const binPage = { path: "/dashboard/bin?kind=code", name: "Bin" } as const;

/** Pauses or resumes a code, and returns to the list as it was if that was in a row of it. */
const setStatus = (status: QrStatus, flash: FlashName): Answer =>
  change(
    (deps, context, id) => updateQr(deps, context, id, { status }),
    (id, form) => listToReturnTo(form, pageOf(id)),
    flash,
  );

export const pauseCode = setStatus("paused", "paused");
export const resumeCode = setStatus("active", "resumed");
export const deleteCode = change(deleteQr, "/dashboard/codes", "deleted");
export const restoreCode = change(restoreQr, pageOf, "restored");
export const eraseCode = change(eraseQr, binPage.path, "codeErased");

/** Asks for confirmation before deleting a code. */
export const confirmDeletion: Answer = async ({ deps, context, param }) => {
  const qr = await getQr(deps, context, param("id"));
  const name = codeTitle(qr);
  return confirmPage(
    { title: `Delete ${name}?`, action: "Delete code", back: { path: pageOf(qr.id), name } },
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
};

/** Asks for confirmation before erasing a deleted code. @throws not_found for any other */
export const confirmCodeErasure: Answer = async ({ deps, context, param }) => {
  const { qr } = await getDeletedQr(deps, context, param("id"));
  return confirmPage(
    { title: `Erase ${codeTitle(qr)}?`, action: "Erase code", back: binPage },
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
};
