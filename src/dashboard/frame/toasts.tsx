import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Flash } from "./flash.ts";

interface Props {
  readonly flash: Flash | undefined;
  /** The page's path and query, to which undoing returns. */
  readonly address?: string;
}

/**
 * The messages at the bottom of the page: that of the preceding change, and those added by scripts. They disappear
 * after six seconds; without scripts, they stay below the content.
 */
export function Toasts({ flash, address = "" }: Props) {
  return (
    <div class="toasts" id="toasts" role="status">
      {flash !== undefined && <Toast flash={flash} address={address} />}
    </div>
  );
}

function Toast({ flash: { text, undo }, address }: { flash: Flash; address: string }) {
  return (
    <div class="toast" data-toast="">
      <p>{text}</p>
      {undo !== undefined && (
        <PostForm action={undo.path}>
          <HiddenFields values={Object.entries({ ...undo.values, back: address })} />
          <button class="button" type="submit">
            Undo
          </button>
        </PostForm>
      )}
      <button class="button plain" type="button" aria-label="Dismiss" data-dismiss="">
        <Icon name="x" />
      </button>
    </div>
  );
}
