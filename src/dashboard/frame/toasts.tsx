import { Icon } from "../components/icon.tsx";
import { type Flash, flashes } from "./flash.ts";

/**
 * The messages at the bottom of the page: that of the preceding change, and those added by scripts. They disappear
 * after six seconds; without scripts, they stay below the content.
 */
export function Toasts({ flash }: { flash: Flash | undefined }) {
  return (
    <div class="toasts" id="toasts" role="status">
      {flash !== undefined && <Toast flash={flash} />}
    </div>
  );
}

function Toast({ flash: { name, undo } }: { flash: Flash }) {
  return (
    <div class="toast" data-toast="">
      <p>{flashes[name]}</p>
      {undo !== undefined && (
        <form method="post" action={undo}>
          <button class="button" type="submit">
            Undo
          </button>
        </form>
      )}
      <button class="button plain" type="button" aria-label="Dismiss" data-dismiss="">
        <Icon name="x" />
      </button>
    </div>
  );
}
