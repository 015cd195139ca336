import { Empty } from "./empty.tsx";

/** In place of figures while the ledger doesn't respond. */
export const NotAvailable = () => <span class="quiet">Not available now</span>;

/** Says that figures are missing. @param what the figures, as the plural beginning of a sentence */
export const missingText = (what: string): string =>
  `${what} aren't available now. Scans are still counted. Reload the page in a minute.`;

/** In place of a list that can't be read while the ledger doesn't respond. */
export const Missing = ({ what }: { what: string }) => (
  <Empty title="Not available now" text={missingText(what)} />
);
