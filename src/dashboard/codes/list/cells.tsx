import type { Qr } from "../../../contract/resources/qr.ts";
import { codeTitle, destinationOf } from "../../../domain/codes/titles.ts";
import { codeImageAddress, typeTexts } from "../form/types.ts";

/** The small image of a code in a list. Its name stands beside it. @param size CSS pixels */
export const Thumbnail = ({ qr, size = 56 }: { qr: Qr; size?: number }) => (
  <img class="code-image" src={codeImageAddress(qr)} alt="" width={size} height={size} loading="lazy" />
);

interface Props {
  readonly qr: Qr;
  /** The titles of hosted pages, by id. */
  readonly pageTitles?: ReadonlyMap<string, string>;
}

/** A code's name, which leads to its page, above its destination. */
export function NameAndDestination({ qr, pageTitles }: Props) {
  return (
    <div class="what">
      <a class="name" href={`/dashboard/codes/${qr.id}`}>
        {codeTitle(qr)}
      </a>
      <span class="where">
        {typeTexts[qr.qrType].name}: {destinationOf(qr.data, pageTitles)}
      </span>
    </div>
  );
}
