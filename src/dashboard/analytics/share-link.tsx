import type { PropsWithChildren } from "hono/jsx";
import { DialogHead } from "../../ui/dialog-head.tsx";
import { Icon } from "../../ui/icon.tsx";

/** The part of the page that shares a report, and where htmx shows it. */
const part = {
  "hx-target": "#share-body",
  "hx-select": "#sharing",
  "hx-select-oob": "#toasts",
  "hx-swap": "innerHTML ignoreTitle:true show:none",
  "hx-push-url": "false",
};

/** The link to the page that shares a report, once a page. Scripts show that page in a dialog, where its forms stay. */
export const ShareLink = ({ href, children }: PropsWithChildren<{ readonly href: string }>) => (
  <>
    <a class="button" href={href} aria-label="Share report" {...part}>
      <Icon name="share-2" />
      {children}
    </a>
    <dialog class="share" id="share" aria-labelledby="share-title">
      <DialogHead id="share-title" title="Share report" />
      <div id="share-body" {...part} />
    </dialog>
  </>
);
