import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/qr.ts";
import { listScans } from "../../domain/scans/list.ts";
import { Figures } from "../components/figures.tsx";
import { formatNumber } from "../components/format.ts";
import type { Visit } from "../frame/visit.ts";

/** The part of a code's page about its scans. */
export async function codeActivity({ deps, owner }: Visit, qr: Qr): Promise<Child> {
  const { stats } = await listScans(deps, owner, qr.id, { limit: 1 });
  return (
    <section aria-labelledby="scans">
      <h2 id="scans">Scans</h2>
      <Figures
        items={[
          ["Scans in all", formatNumber(stats.total)],
          ["Visitors", formatNumber(stats.uniqueVisitors)],
        ]}
      />
    </section>
  );
}
