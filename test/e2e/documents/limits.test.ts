import { expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { type PlanLimits, plans } from "../../../src/contract/plans.ts";
import { bodyBounds } from "../../../src/contract/resources/free-form.ts";
import { workUnits } from "../../../src/contract/work-units.ts";
import { slice } from "../../../src/domain/print/pace.ts";
import { routing } from "../../../src/edge/routing/timing.ts";
import { dayLength } from "../../../src/lib/time/calendar.ts";
import { blockBytes } from "../../../src/lib/web/in-blocks.ts";
import { stallTimeout } from "../../../src/lib/web/stream-of.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { capsPerWorkspace } from "../../../src/protocol/key-meter.ts";
import { feedRetentionMilliseconds } from "../../../src/protocol/route-feed.ts";
import { webhookRules } from "../../../src/protocol/webhook-rules.ts";
import { page } from "../support/documents/documents.ts";
import { config, rateLimit } from "../support/installation/configuration.ts";

it("the page on limits states those of all that grows", () => {
  const { retention, batch, maxInFlight, storedResponseBytes } = webhookRules;
  const { high, full, reserve } = bounds.ledger;
  const { guarded: ofGuarded, unusual } = bounds.history;
  const { values, changes, guarded, events } = bounds.outbox;
  const { agents, places, referrers, vias } = bounds.entries;
  const gigabytes = (bytes: number) => `${bytes / 1e9} GB`;
  const eachPlan = (limit: "storedBytes" | "jobBytes") =>
    Object.values(plans)
      .map((plan) => `${plan[limit] / 1e6} MB`)
      .join(", ")
      .replace(/, ([^,]*)$/, " or $1");
  const stated = page("limits")
    .tableRows("All limits", "Thing")
    .filter(([, limit]) => limit !== "");
  const eachCount = (of: (plan: PlanLimits) => number) =>
    Object.values(plans)
      .map(of)
      .join(", ")
      .replace(/, (\d+)$/, " or $1");
  const creations = eachCount(({ creationsPerDay }) => creationsPerDay);
  const expected = [
    [
      "Requests of a person in the dashboard, a minute",
      `${limits.dashboardRequests}, or the plan's API limit if that is higher`,
    ],
    [
      "API requests of all keys and people of a workspace, a minute",
      `${capsPerWorkspace} times those of one key, by the plan or as the operator raised them`,
    ],
    [
      "Fields of a JSON body; entries of its lists; values of `colorConfig` and `advanced`",
      `${bodyBounds.fields}; ${bodyBounds.entries}; ${bodyBounds.parts[0].values}. Of a bulk job: in each item, ` +
        `and ${limits.bulkValues.fields}; ${limits.bulkValues.entries} fields and entries in all items. ` +
        `The codes of an [agent's](agents.md) request have ${limits.proposals.values} fields and entries in all`,
    ],
    ["Parameters of an API request or a public image, repeated ones included", String(limits.parameters)],
    [
      "A form",
      `${limits.form.bytes / 1024} KiB; ${limits.form.bytesWithFiles / 2 ** 20} MiB with a file; ` +
        `${limits.bulkUpdate.formBytes / 1024} KiB for a bulk update; an import's table. ` +
        `${limits.form.fields} fields, ${limits.importedFields} for an import`,
    ],
    [
      "Codes of a publishable key, a day",
      `${limits.keyCreations.cap}, of these ${limits.keyCreations.network} for a network (${8 * limits.keyCreations.network} for an IPv6 /48), while the workspace has used less than ${100 * limits.keyCreations.share} % of its plan's live codes, new codes a day and stored bytes; only type \`url\`, a destination and a name`,
    ],
    ["Passkeys of a person", String(limits.passkeys.count)],
    [
      "People who join without a link from one network, a day",
      expect.stringMatching(`^${limits.passkeys.joinsPerDay}, `),
    ],
    ["Members of a workspace", `${limits.members}`],
    [
      "Invitations of a workspace that can still be used",
      `${limits.invitations}, each for seven days; expired ones are deleted, 1000 a minute`,
    ],
    [
      "Workspaces of a person",
      `${limits.workspaces.owned} that they own, ${limits.workspaces.createdPerDay} created a day, ${limits.workspaces.joined} that they are a member of`,
    ],
    [
      "[Alerts](webhooks.md#alerts) of a kind and workspace",
      `1 within ${bounds.alertMilliseconds / 60_000} minutes`,
    ],
    ["Workspaces with an address for alerts that a sweep looks at", `${bounds.alertChecks}`],
    ["[Things that wait](dashboard.md#what-waits-for-you), of each kind", `${limits.waiting.counted}`],
    [
      "Things that a person has put off in a workspace",
      `${limits.waiting.postponed}, each for ${limits.waiting.postponedDays} days`,
    ],
    ["A form to sign in or join with a passkey", "32 KiB"],
    ["Expired one-time links and challenges", "1000 of each are deleted a minute"],
    ["Expired keys", expect.stringContaining(`${limits.expiredKeyDays} days`)],
    ["Overlap of a rotated key", `${limits.keyOverlapHours.max} hours`],
    [
      "Revoked keys",
      expect.stringContaining(`${limits.revokedKeyDays} days, and the latest ${limits.revokedKeys} of`),
    ],
    ["Idempotency records", expect.stringContaining(`${limits.idempotency.milliseconds / 3_600_000} hours`)],
    [
      "Forms of a person in a workspace whose result is shown once (new keys, webhooks, domains and invitations), a day",
      `As many as keep the person's records below ${limits.idempotency.forms}`,
    ],
    [
      "[Stored bytes](#stored-bytes) of a workspace",
      `${eachPlan("storedBytes")} by plan; the operator can change it`,
    ],
    ["Codes created or restored in a workspace, a day", `${creations} by plan`],
    [
      "Folders, templates and hosted pages of a workspace",
      "By [plan](api.md#plans-and-rate-limits); deleted pages count until they are erased",
    ],
    [
      "[Saved lists](api.md#saved-lists) of a workspace; of a person in it",
      `${limits.savedLists.workspace}; ${limits.savedLists.person}`,
    ],
    [
      "[Domains](domains.md) of a workspace",
      `${eachCount(({ domains }) => domains)} by plan; of a host, ${limits.domain.host} characters. Unproved ones for ${limits.domain.claimDays} days`,
    ],
    [
      "Custom hostnames of an installation",
      "[`MAX_CUSTOM_HOSTNAMES`](operating/settings.md), 100 by default",
    ],
    ["Checks of a domain on request", "One a minute"],
    [
      "Requests to Cloudflare about domains, of the installation",
      `${bounds.cloudflareRequests.all} in ${bounds.cloudflareRequests.period / 60_000} minutes, of which checks on request take part in the first ${bounds.cloudflareRequests.asked}`,
    ],
    [
      "[Aliases](domains.md#aliases) of a code",
      `${limits.aliases.count}, each with a path of ${limits.aliases.bytes} bytes`,
    ],
    [
      "Attempts to change a code or page that other requests are changing",
      `${limits.changeAttempts.count}; a suspension keeps trying for ${limits.changeAttempts.suspensionSeconds} seconds`,
    ],
    ["Deleted codes and hosted pages", expect.stringContaining(`${limits.deletedDays} days;`)],
    [
      "Deleted folders, templates, domains and saved lists",
      expect.stringContaining(`${limits.deletedDays} days, and the latest ${limits.deletedKept} of each`),
    ],
    [
      "A [deleted workspace](api.md#delete-a-workspace-or-an-account)",
      `${limits.workspaceDeletion.stop} days; ${limits.workspaceDeletion.freeze} if its codes go on`,
    ],
    [
      "[Shared reports](analytics.md#shared-reports) of a workspace, ended ones included",
      `${limits.sharedReports}, with names of ${limits.sharedReportName} characters`,
    ],
    [
      "Logos of a workspace",
      expect.stringContaining(`${limits.logo.count} different ones of ${limits.logo.bytes / 1024} KiB`),
    ],
    [
      "Logos where R2 [isn't set up](#without-r2)",
      `${limits.logoInCatalogue.bytes / 1024} KiB each; ${limits.logoInCatalogue.all / 1024 ** 2} MiB in a workspace`,
    ],
    ["Colours and logos of a [brand](images.md#brand)", `${limits.brand.colors} and ${limits.brand.logos}`],
    [
      "Bytes of a workspace's bulk jobs and their items",
      `${eachPlan("jobBytes")} by plan. A job counts at least ${limits.bulkRowBytes.job} bytes, an item ${limits.bulkRowBytes.item}`,
    ],
    ["Items of a bulk job", expect.stringContaining(`${limits.bulkItemDays} days from completion`)],
    [
      "Ignored fields that a response names",
      `${limits.ignoredFields.count}, with ${limits.ignoredFields.length} characters of each name`,
    ],
    ["Cells of a failed row", `${limits.failedRow} bytes as JSON`],
    ["Codes that a bulk update matches", `${limits.bulkUpdate.codes}`],
    [
      "Codes that an action of the dashboard's list changes before it returns",
      String(limits.bulkUpdate.atOnce),
    ],
    [
      "Codes that the dashboard checks before a bulk update",
      `${limits.bulkUpdate.examined}; it offers ${limits.bulkUpdate.hosts} of their hosts to replace`,
    ],
    [
      "Codes of a bulk update that are changed and not yet settled",
      `${limits.bulkUpdate.unsettled}, in five slices`,
    ],
    [
      "Codes of a change that an [agent](agents.md) proposes",
      `${limits.proposals.creations} to create; ${limits.proposals.changes} to change. Up to ${limits.proposals.atomic} are changed all or none`,
    ],
    [
      "Changes of a workspace that agents propose",
      `${limits.proposals.bytes / 2 ** 20} MiB with those that were made or have expired; ${limits.proposals.minutes} minutes, or ${limits.proposals.personMinutes / 60} hours where a person confirms. Then they are emptied, as those that were made are at once. ${limits.proposals.days} day after that, 10000 are deleted a minute`,
    ],
    ["A request of an agent", `${limits.agentBody / 2 ** 20} MiB, one message`],
    [
      "A table to import in the dashboard",
      `The plan's rows, ${limits.bulk.rowBytes} bytes for each; ${limits.importedTable / 2 ** 20} MiB in all`,
    ],
    ["Columns of a CSV or pasted table", `${limits.tableColumns}, not counting empty ones at the end`],
    [
      "Rows of a table on the import page",
      `The first ${limits.shownTable.firstRows} and those with problems: ${limits.shownTable.rows} and ` +
        `${limits.shownTable.bytes / 1024} KiB of HTML at most. ${limits.shownTable.length} characters of a cell, ` +
        `${limits.shownTable.editable} if it needs a correction`,
    ],
    ["Columns of a table on the import page", `${limits.shownTable.columns} at a time`],
    [
      "Codes examined for a page of results, with a filter that has no index (status, type `url`, part of the destination) or in an order",
      `${bounds.searchedCodes + (bounds.search.statements - 1) * bounds.search.codes}, or as many as take ${bounds.search.time} ms of the catalogue`,
    ],
    [
      "Codes examined for a page of a search",
      `${bounds.search.entries} names and destinations, then the texts of ${bounds.search.statements * bounds.search.codes}, or as many as take ${bounds.search.time} ms of the catalogue. All of ${bounds.search.whole}`,
    ],
    [
      "Codes sorted by what no index has (everything but `createdAt`, `updatedAt` and `name`); codes examined to find them with a filter that has no index",
      `${limits.sortedCodes}; ${bounds.sortedFrom}`,
    ],
    ["Codes sorted by scans", `${limits.sortedByScans}`],
    ["Scans examined for a page of a code's scans", `${bounds.listedScans}`],
    [
      "Scans in the CSV of a scan log",
      `The newest ${bounds.loggedPages * limits.scanList.max}, of ${bounds.loggedPages * bounds.listedScans} examined`,
    ],
    [
      "Submissions examined for a page of results",
      `${bounds.searchedSubmissions}, or ${bounds.searchedCharacters} characters of answers`,
    ],
    ["Submissions that the dashboard erases at once", `${bounds.erasedSubmissions}`],
    ["Tags that the dashboard's search looks through", `${bounds.searchedTags}`],
    ["Folders or hosted pages in a select of the dashboard", `${limits.choices}`],
    ["Codes of an exported file", `${limits.bulkUpdate.codes}`],
    ["Exports, downloads and label prints of a workspace", `${limits.exports} at a time`],
    [`Time to read each ${blockBytes / 1024} KiB of an export or download`, `${stallTimeout / 1000} seconds`],
    ["Scans in a ledger", expect.stringContaining(`${bounds.rawScans.months} months, by calendar month`)],
    ["A ledger", gigabytes(high)],
    ["A ledger", gigabytes(full)],
    ["A ledger", gigabytes(reserve)],
    [
      "User agents in a ledger",
      `${agents.total}, of ${bounds.userAgentLength} characters; ${agents.newPerDay} new ones a day`,
    ],
    ["Places in a ledger", `${places.total}; ${places.newPerDay} new ones a day`],
    ["Referrers in a ledger", `${referrers.total} hosts; ${referrers.newPerDay} new ones a day`],
    ["Domains and aliases by which a ledger's scans came", `${vias.total}`],
    [
      "Counts of [scans without a target](scans.md#scans-without-a-target), and of visits of a domain",
      "One a code, reason and day; one a domain and day",
    ],
    [
      `Of these, counts of the last ${bounds.lately} days that the list of codes that are still scanned reads`,
      `The newest ${bounds.closedCounts}; it shows ${limits.stillScanned} codes`,
    ],
    ["Days and reasons in `closed`", `The newest ${limits.closedDays}`],
    ["Live connections of a workspace", `${limits.liveConnections}`],
    ["Scans on a live connection", `${bounds.liveScansPerSecond} a second, averaged over two seconds`],
    [
      "Scans that a live connection can resume with",
      `${bounds.liveScans} scans of each of the last ${bounds.liveCalls - 1} calls that recorded some`,
    ],
    [
      "Scans in a queue message",
      `${bounds.scanMessage.scans} and ${bounds.scanMessage.bytes} bytes, one billed unit`,
    ],
    ["Scans in one call of a ledger", `${bounds.scansPerCall}`],
    [
      "Entries of a workspace's [history](history.md)",
      `${bounds.history.days} days, ${bounds.history.rows} entries, ${bounds.history.bytes / 1e6} MB`,
    ],
    [
      "Its entries about members, invitations, keys, webhooks, the brand and the workspace",
      `Besides those: ${bounds.history.days} days, ${ofGuarded.rows} entries, ${ofGuarded.bytes / 1e6} MB`,
    ],
    ["Entries added to it within an hour", `${unusual.rows} entries or ${unusual.bytes / 1e6} MB`],
    ["Changes of a workspace that wait in D1 while its ledger can't be reached", `${values / 1e6} MB`],
    [
      "The same",
      `${changes / 1e6} MB; ${guarded / 1e6} MB for entries about members, invitations, keys, webhooks, the brand and the workspace; ${events / 1e6} MB in a workspace with webhooks`,
    ],
    [
      "Entries examined for a page of results, with a filter that has no index (actor, kind)",
      `${bounds.history.examined}`,
    ],
    ["Ended deliveries of a webhook", `${retention / 86_400_000} days and ${bounds.endedEvents} events`],
    ["Pending deliveries of a webhook", `${bounds.pendingEvents} events`],
    [
      "Deliveries of a [replay](webhooks.md#replay-failed-deliveries)",
      `${limits.replayDeliveries}; one replay of a webhook at a time, the last ${bounds.replays} are kept`,
    ],
    ["Open batch of a webhook", `${batch.maxEvents} events or ${batch.maxBytes / 1024} KB`],
    [
      "Headers of a webhook's own",
      `${limits.webhookHeaders.count}, with names of ${limits.webhookHeaders.name} characters and values of ${limits.webhookHeaders.value}`,
    ],
    [
      "Attempts in progress of a webhook",
      `${maxInFlight.healthy}; ${maxInFlight.suspect} once one has failed`,
    ],
    ["Attempts in progress to one target host", `${maxInFlight.host} per workspace`],
    ["Stored bytes of a receiver's response", `${storedResponseBytes}`],
    [
      "[Draft](pages.md#drafts) of a page",
      `One, of ${limits.page.bytes} bytes of JSON, ${limits.page.blocks} blocks and ${limits.page.fields} fields; it counts as stored bytes`,
    ],
    [
      "[Images](pages.md#images) that are stored for pages",
      `${limits.storedImage.count} in a workspace, of ${limits.storedImage.bytes / 1024} KiB each and ${limits.storedImage.all / 2 ** 20} MiB together`,
    ],
    ["Image on a page that another host serves", `${limits.pageImage.bytes / 2 ** 20} MiB`],
    ["Submissions of a page", `${bounds.submissions}`],
    ["Submissions of a network to a page, a day", `${bounds.submissionsPerDay}`],
    ["Codes of a print or of a ZIP archive", `${limits.print.codes}`],
    [
      "Codes of a print job; its labels; labels of its sheet",
      `${limits.printJob.codes}; ${limits.printJob.labels}; ${limits.printJob.labelsOnSheet}`,
    ],
    ["File of a print job", `${limits.printJob.bytes / 2 ** 20} MiB and the image that reaches them`],
    [
      "Print jobs of a workspace",
      `One at a time; ${limits.printJob.unfinished} that haven't ended; ${limits.printJob.perDay} a day`,
    ],
    [
      "Files of a workspace's print jobs",
      `${limits.printJob.fileHours} hours, and ${limits.printJob.keptBytes / 2 ** 30} GiB`,
    ],
    [
      "Slices of print jobs in progress",
      `${config.queues.consumers?.find(({ queue }) => queue === "prints")?.max_concurrency} in all, ` +
        `each ${slice.codes} codes, ${slice.pixels / 2 ** 20} megapixels of PNGs, ` +
        `${slice.bytes / 2 ** 20} MiB or ${slice.milliseconds / 1000} s, one code at a time`,
    ],
    [
      "Labels of a print",
      `${limits.print.labels}, copies included; ${limits.print.labelsInLine} in a row or column`,
    ],
    [
      "Sides of a printed page",
      `${limits.print.page.min} to ${limits.print.page.max} mm; of a label ${limits.print.label.min} to ${limits.print.label.max} mm`,
    ],
    ["Characters of a frame's text", `${limits.design.frameText}`],
    ["Area that a logo covers", expect.stringContaining("[error correction]")],
    ["Elements that an SVG logo draws", expect.stringContaining(`${limits.logo.elements}. A reference`)],
    ["New logo files", `${rateLimit("MEASUREMENTS")} a minute per person or key, previews included`],
    ["Pixels per side of a PNG from the images Worker", `${limits.drawnPng}, which takes 50 MiB`],
    [
      "Calls in progress of the images Worker, per isolate",
      `${bounds.imagesWorker.drawings} drawings, in less than 100 MiB, ${bounds.imagesWorker.documents} PDFs, ${bounds.imagesWorker.measurements} measurements and ${bounds.imagesWorker.waitingMeasurements} that wait for them`,
    ],
    [
      "Measurements, PNGs, PDFs, dry runs and bulk changes of a workspace, a minute",
      expect.stringContaining(
        `${limits.heavyWork} units of about 10 ms of CPU time: ${workUnits.measurement(1)} for each address that a measurement draws, ` +
          `up to ${workUnits.png(limits.drawnPng)} for a PNG, ${workUnits.pdf(1)} for a code of a PDF, ${workUnits.proofPictures} for the pictures of a [proof](images.md#scannability), ${workUnits.dryRun(50)} for each 50 codes or rows of a dry run that may change codes, and for each 100 of one that only creates them, ` +
          `${workUnits.change(20)} for each 20 codes or rows of a job that may change codes, up to ${workUnits.change(limits.bulkUpdate.codes)}. `,
      ),
    ],
    [
      "Measurements of [scannability](images.md#scannability)",
      `${rateLimit("MEASUREMENTS")} a minute for each person or key; results are cached`,
    ],
    [
      "Changes that wait [while KV refuses writes](guarantee.md#while-kv-refuses-writes)",
      `${(feedRetentionMilliseconds / 60_000) * routing.feedRenewals}; ${routing.feedRenewals} a minute are published to the feeds again`,
    ],
    ["Dead letters", expect.stringContaining("14 days from the scan")],
    [
      "Open abuse reports, of 7 KB each at most",
      `${limits.abuseReport.openPerCode} of one code, page or domain, ${limits.abuseReport.openPerWorkspace} of a workspace, ${limits.abuseReport.openInAll} in all; ${limits.abuseReport.openDays} days`,
    ],
    [
      "Counts that the operator sees",
      `${bounds.figures.retention / dayLength} days, in intervals of ${bounds.figures.interval / 60_000} minutes`,
    ],
    ["[Alerts](operating/watch.md#alerts) of one check", `${bounds.alertsPerCheck}`],
  ];
  expect(stated.map(([thing, limit]) => [thing, limit])).toEqual(expected);
  const items = stated.find(([thing]) => thing === "Items of a bulk job");
  expect(items?.[2]).toContain(`for ${limits.bulkJobDays} days`);
  const submissions = page("pages").sentences("Submissions");
  expect(submissions).toContain(`more than ${bounds.submissionsPerDay} forms a day`);
  expect(submissions).toContain(`has ${bounds.submissions} submissions`);
  expect(page("webhooks").sentences("Retries")).toContain(`Beyond ${bounds.endedEvents} events`);
});
