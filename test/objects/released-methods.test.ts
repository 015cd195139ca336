import { expect, it } from "vitest";
import { KeyMeter } from "../../src/objects/key-meter.ts";
import { WorkspaceLedger } from "../../src/objects/ledger/workspace-ledger.ts";
import { RouteFeed } from "../../src/objects/route-feed.ts";

/** The methods that released Workers call. test/ci/scripts/going-back.test.ts calls them. */
const released = [
  [
    WorkspaceLedger,
    `fetch webSocketClose recordScans listScans countScans eraseScans erasedScans exportSources exportPage
     acquireExport renewExport releaseExport analytics sparklines codeActivity reportingStatus changeReporting submit
     listSubmissions getSubmission countSubmissions submissionFields eraseSubmissions createWebhook listWebhooks
     getWebhook changeWebhook rotateSecret webhookSecrets replaceWebhookSecrets deleteWebhook sendTest emit
     listDeliveries getDelivery replay claim settle countReplay startReplay listReplays stopReplay storage notices
     receive findHistory listHistory listJobHistory listDeletions listUnsentEvents pauseWebhooks erase`,
  ],
  [KeyMeter, "hit used takeCreation returnCreation creations adopt revoke share takeBackSlot takeWork"],
  [RouteFeed, "publish changes"],
] as const;

it.each(released)("%o has the methods that a released Worker calls", (objects, names) => {
  const missing = names.split(/\s+/).filter((name) => !(name in objects.prototype));
  expect(missing).toEqual([]);
});
