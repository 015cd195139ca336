import type { Scannability } from "../../contract/resources/images/scannability.ts";
import { getVersionedQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { picturesOfCode, proofOfCode } from "../../domain/designing/proof.ts";
import { printProof } from "../../domain/print/proof.ts";
import { attachment } from "../../lib/text/file-name.ts";
import { Table } from "../../ui/table.tsx";
import { proofPicturesResponse } from "../design/proof-pictures.ts";
import { type ProofState, ProofStrip, proofState } from "../design/proof-strip.tsx";
import type { DashboardRequest, Fragment, PageResponse } from "../frame/request.ts";
import { CodeHead, readHead } from "./head/head.tsx";

const pathOf = (id: string) => `/dashboard/codes/${id}/proof`;

interface Props {
  readonly id: string;
  readonly state: ProofState;
  readonly timeZone: string;
}

/** The disturbed pictures of a code with the result of each. Their address has a part that changes with them. */
const Strip = ({ id, state, timeZone }: Props) => (
  <ProofStrip
    state={state}
    pictures={`${pathOf(id)}.png?of=${state.kind === "measured" ? state.proof.picturesTag : ""}`}
    pdf={`${pathOf(id)}.pdf`}
    timeZone={timeZone}
    again={{ "hx-get": `${pathOf(id)}/strip` }}
    page={pathOf(id)}
  />
);

/** The strip on a page that is sent before it is measured: it asks for itself when it is seen. */
export const StripToCome = ({ id, timeZone }: Omit<Props, "state">) => (
  <Strip id={id} timeZone={timeZone} state={{ kind: "waiting" }} />
);

/** The strip of a code's page. */
export async function proofStrip(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, param } = request;
  const id = param("id");
  const [state, timeZone] = await Promise.all([
    proofState(() => proofOfCode(deps, context, id)),
    request.timeZone(),
  ]);
  return { fragment: <Strip id={id} state={state} timeZone={timeZone} /> };
}

/** How a code was read in disturbed pictures, and how small it may be printed. @throws not_found */
export async function proofOfCodePage(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const edited = await getVersionedQr(deps, context, request.param("id"));
  const { qr } = edited;
  const [head, state] = await Promise.all([
    readHead(request, edited),
    proofState(() => proofOfCode(deps, context, qr.id)),
  ]);
  return {
    title: `Print proof of ${codeTitle(qr)}`,
    content: (
      <>
        <CodeHead head={head} current="proof" />
        <Strip id={qr.id} state={state} timeZone={head.timeZone} />
        {state.kind === "measured" && <Sizes measured={state.proof.scannability} />}
      </>
    ),
  };
}

function Sizes({ measured: { print, modules } }: { measured: Scannability }) {
  return (
    <>
      <p class="small quiet">
        Each picture shows a disturbance at its full strength, with a sample short link of the same length.
        The mark is its own result; the score counts every strength and sample.
      </p>
      {print.length > 0 && (
        <section>
          <h2>Smallest in print</h2>
          <p class="small quiet">
            The width includes the quiet zone: {modules} modules. To be read from twice as far, print it twice
            as wide.
          </p>
          <Table
            columns={[
              { head: "Printer", cell: ({ dpi }) => `${dpi} dpi` },
              ["Width", ({ widthMillimeters }) => `${widthMillimeters} mm`, { kind: "number" }],
              ["Module", ({ moduleMillimeters }) => `${moduleMillimeters} mm`, { kind: "number" }],
              [
                "Read from",
                ({ distanceMillimeters }) => `${Math.round(distanceMillimeters / 10)} cm`,
                { kind: "number" },
              ],
            ]}
            rows={print}
          />
        </section>
      )}
    </>
  );
}

/** The pictures of a code's proof. */
export const proofPicture = async ({ deps, context, query, param }: DashboardRequest): Promise<Response> =>
  proofPicturesResponse(await picturesOfCode(deps, context, param("id")), query);

/** A proof for the printer. @throws as `printProof` */
export async function proofPdf({ deps, context, param }: DashboardRequest): Promise<Response> {
  const { filename, bytes } = await printProof(deps, context, param("id"));
  return new Response(bytes, {
    headers: { "content-type": "application/pdf", "content-disposition": attachment(filename) },
  });
}
