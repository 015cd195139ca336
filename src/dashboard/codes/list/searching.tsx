import type { QrList } from "../../../contract/resources/codes/qr.ts";
import { formatNumber } from "../../../ui/values/format.ts";

interface Props {
  readonly searched: NonNullable<QrList["searched"]>;
  /** Where the search goes on. */
  readonly address: string;
  /** Whether the page shows no codes yet. */
  readonly isEmpty: boolean;
}

/**
 * Says how far a search has come, and leads on. With scripts, it goes on by itself, and what it finds is added to the page.
 */
export const Searching = ({ searched, address, isEmpty }: Props) => (
  <p
    class="quiet"
    role="status"
    hx-get={address}
    hx-trigger="load"
    hx-target="closest .found-rest"
    hx-swap="outerHTML"
    // The items of the rows' menus are on the page once.
    hx-select={isEmpty ? "#found > *" : "#found > .fitting, #found > .found-rest"}
    hx-select-oob="#list-count"
  >
    {isEmpty ? "Nothing found yet. " : ""}
    {progressOf(searched)}{" "}
    <a href={address} rel="next">
      Search older codes
    </a>
  </p>
);

function progressOf({ names, destinations, codes, of }: Props["searched"]): string {
  const [what, done] =
    names < of
      ? ["the names", names]
      : destinations < of
        ? ["the destinations", destinations]
        : ["all texts", codes];
  return `Searched ${what} of ${formatNumber(done)} of ${formatNumber(of)} codes.`;
}
