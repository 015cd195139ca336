import type { Qr } from "../../contract/resources/codes/qr.ts";
import { Thumbnail } from "../../ui/values/code-image.tsx";
import { codeTitle } from "../../domain/codes/titles.ts";
import { formatDate } from "../../ui/values/format.ts";

/** The most recently changed codes. */
export function Changes({ codes, timeZone }: { codes: readonly Qr[]; timeZone: string }) {
  return (
    <section class="card recent" aria-labelledby="changes">
      <h2 id="changes">Recently updated</h2>
      <ul class="plain changes">
        {codes.map((qr) => (
          <li>
            <Thumbnail qr={qr} size={28} />
            <a class="name" href={`/dashboard/codes/${qr.id}`}>
              {codeTitle(qr)}
            </a>
            <span class="small quiet">
              {qr.updatedAt === qr.createdAt ? "Created" : "Updated"} {formatDate(qr.updatedAt, timeZone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
