import { Icon } from "./icon.tsx";

/** The heading of a dialog, with the button that closes it. @param id of the heading, by which the dialog is named */
export const DialogHead = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <div class="dialog-head">
    <h2 id={id}>{title}</h2>
    <button class="button plain" type="button" aria-label="Close" data-close="">
      <Icon name="x" />
    </button>
  </div>
);
