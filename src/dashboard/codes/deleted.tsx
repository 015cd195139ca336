import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { ClosedScans } from "../../contract/resources/scans/scans.ts";
import { getDeletedQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { ServiceError } from "../../domain/errors.ts";
import { closedScansOf } from "../../domain/scans/closed.ts";
import { Action } from "../../ui/forms/buttons.tsx";
import { Head } from "../../ui/head.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { May } from "../frame/may.tsx";
import type { Answer, PageResponse } from "../frame/request.ts";
import { closedSentences } from "./still-scanned.tsx";

/** Wraps a route about one code: for a deleted code, shows the page that restores it. @throws not_found for others */
export const orDeleted =
  (answer: Answer): Answer =>
  async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
      const { deps, context } = request;
      const deleted = await getDeletedQr(deps, context, request.param("id"));
      return showDeleted(deleted, await closedScansOf(deps, context, deleted.qr.id));
    }
  };

function showDeleted(
  { qr, restorableUntil }: { qr: Qr; restorableUntil: string },
  closed: ClosedScans | null,
): PageResponse {
  const title = `${codeTitle(qr)} was deleted`;
  return {
    title,
    status: 410,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/codes", name: "Codes" }} />
        <p>
          Scans of {qr.scanUrl} find nothing. You can restore the code until {formatDate(restorableUntil)}.
          Scans will then work as before.
        </p>
        {closedSentences(closed, (reason) => reason === "deleted").map((sentence) => (
          <p>
            <strong>{sentence}</strong>
          </p>
        ))}
        <May permission="codes.write">
          <p class="buttons">
            <Action path={`/dashboard/codes/${qr.id}/restore`}>Restore code</Action>
            <a class="button plain" href={`/dashboard/codes/${qr.id}/erase`}>
              Erase now
            </a>
          </p>
        </May>
      </>
    ),
  };
}
