import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { Head } from "../../ui/head.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";

/** Asks whether to download the PDF of a code that phones can't read. */
export async function confirmPdf({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const qr = await getQr(deps, context, param("id"));
  const page = `/dashboard/codes/${qr.id}`;
  const title = `Print ${codeTitle(qr)}?`;
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: page, name: codeTitle(qr) }} />
        {qr.readability === "unreadable" && (
          <p>
            <strong>Phones can't read the design of this code reliably.</strong> Print a trial and scan it
            before you print many.
          </p>
        )}
        <div class="buttons">
          <a class="button primary" href={`${page}/image?format=pdf&download`} download="">
            Download PDF
          </a>
          <May permission="codes.write">
            <a class="button" href={`${page}/edit`}>
              Change the design
            </a>
          </May>
        </div>
      </>
    ),
  };
}
