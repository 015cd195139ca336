import type { Qr } from "../../contract/resources/codes/qr.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { Thumbnail } from "../../ui/values/code-image.tsx";
import { formatNumber } from "../../ui/values/format.ts";

/** How many codes a strip shows. */
export const stripCodes = 8;

interface Props {
  /** The first codes. */
  readonly codes: readonly Qr[];
  /** How many there are. */
  readonly count: number;
}

/** The pictures of the codes that a form is about. */
export const CodeStrip = ({ codes, count }: Props) => (
  <ul class="plain code-strip" aria-label="Codes">
    {codes.map((qr) => (
      <li>
        <Thumbnail qr={qr} size={48} />
        <span dir="auto">{codeTitle(qr)}</span>
      </li>
    ))}
    {count > codes.length && <li class="quiet">and {formatNumber(count - codes.length)} more</li>}
  </ul>
);
