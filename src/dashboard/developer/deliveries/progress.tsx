import type { Replay } from "../../../contract/resources/webhooks/replays.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { formatNumber } from "../../../ui/values/format.ts";

interface Props {
  /** The webhook's page. */
  readonly path: string;
  readonly replay: Replay;
}

const titles = {
  running: "Replay running",
  completed: "Replay completed",
  stopped: "Replay stopped",
};

/** The progress of a replay. Scripts update it while it runs. */
export function ReplayProgress({ path, replay }: Props) {
  const { status, deliveries, succeeded, failed, stoppedReason } = replay;
  const isRunning = status === "running";
  const asks = isRunning
    ? { "hx-get": `${path}/replay/progress`, "hx-trigger": "every 2s", "hx-swap": "outerHTML" }
    : {};
  const done = succeeded + failed;
  return (
    <section class="card" id="replay" aria-labelledby="replay-title" {...asks}>
      <h2 id="replay-title">{titles[status]}</h2>
      <p>
        {formatNumber(done)} of {formatNumber(deliveries)} sent: {formatNumber(succeeded)} succeeded,{" "}
        {formatNumber(failed)} failed. {stoppedReason !== null && `${stoppedReason}.`}
      </p>
      <progress value={done} max={Math.max(1, deliveries)} aria-label="Deliveries sent" />
      {isRunning && (
        <div class="buttons under-table">
          <Action path={`${path}/replay/stop`}>Stop replay</Action>
        </div>
      )}
    </section>
  );
}
