import { formatCount } from "../../ui/values/format.ts";
import type { Checked } from "./check.ts";

/** The choice between changing the codes that a file names and creating new ones, if it names any. */
export function ModeChoice({ checked: { mode, named } }: { checked: Checked }) {
  if (named === 0 && mode === "create") return null;
  return (
    <fieldset class="field">
      <legend>{formatCount(named, "row names a code", "rows name a code")} that you have</legend>
      <div>
        <label class="option explained">
          <input type="radio" name="mode" value="change" checked={mode === "change"} data-recheck="" />
          <span>
            Change {named === 1 ? "this code" : `these ${formatCount(named, "code")}`}
            <span class="small quiet">Each gets what its row says. An empty cell removes the value.</span>
          </span>
        </label>
        <label class="option explained">
          <input type="radio" name="mode" value="create" checked={mode === "create"} data-recheck="" />
          <span>
            Create new codes
            <span class="small quiet">Your codes stay as they are.</span>
          </span>
        </label>
      </div>
    </fieldset>
  );
}
