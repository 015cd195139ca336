import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { codeTitle, destinationText } from "../../../domain/codes/titles.ts";
import { Icon } from "../../../ui/icon.tsx";
import { typeTexts } from "../form/types.ts";

interface Props {
  readonly qr: Qr;
  /** The titles of hosted pages, by id; null for no destination below the name. */
  readonly pageTitles?: ReadonlyMap<string, string> | null | undefined;
}

/** A code's name, linked to its page, above its destination. */
export function NameAndDestination({ qr, pageTitles }: Props) {
  return (
    <div class="what">
      <a class="name" dir="auto" href={`/dashboard/codes/${qr.id}`}>
        {codeTitle(qr)}
      </a>
      {pageTitles !== null && <Destination qr={qr} pageTitles={pageTitles} />}
    </div>
  );
}

function Destination({
  qr,
  pageTitles,
}: Props & { readonly pageTitles?: ReadonlyMap<string, string> | undefined }) {
  const text = destinationText(qr.data, pageTitles);
  if (qr.qrType === "url") return <span class="where address">{text}</span>;
  const { icon, name } = typeTexts[qr.qrType];
  return (
    <span class="where">
      <Icon name={icon} />
      <span>
        <span class="visually-hidden">{name}, </span>
        {text}
      </span>
    </span>
  );
}
