import { describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { httpStatusOf } from "../../../src/contract/errors.ts";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import {
  Dimension,
  ReportingSettingsInput,
  WorkspaceAnalyticsQuery,
} from "../../../src/contract/resources/analytics.ts";
import { EventKind } from "../../../src/contract/resources/enums.ts";
import { CodeImageQuery } from "../../../src/contract/resources/images.ts";
import { PageInput } from "../../../src/contract/resources/pages.ts";
import { PrintOptions } from "../../../src/contract/resources/prints.ts";
import { Qr } from "../../../src/contract/resources/qr.ts";
import { QrData } from "../../../src/contract/resources/qr-data.ts";
import { bulkColumns } from "../../../src/contract/resources/qr-fields.ts";
import { ScanListQuery } from "../../../src/contract/resources/scan-filters.ts";
import { ExportQuery, exportColumns } from "../../../src/contract/resources/scans.ts";
import { WebhookInput } from "../../../src/contract/resources/webhooks.ts";
import { slice } from "../../../src/domain/print/pace.ts";
import { routing } from "../../../src/domain/routing/timing.ts";
import { sheetFormats } from "../../../src/lib/print/sheets.ts";
import { dayLength } from "../../../src/lib/time/calendar.ts";
import { blockBytes } from "../../../src/lib/web/in-blocks.ts";
import { stallTimeout } from "../../../src/lib/web/stream-of.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { feedRetentionMilliseconds } from "../../../src/protocol/route-feed.ts";
import { webhookRules } from "../../../src/protocol/webhook-rules.ts";
import { config, rateLimit } from "../support/configuration.ts";
import { first, namesIn, page } from "../support/documents.ts";

const time = (ms: number) =>
  ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;

describe("the page on printing", () => {
  const printing = page("printing");
  const millimetres = (...lengths: number[]) => lengths.map((length) => Math.round(length * 100) / 100);

  it("states the measures of every sheet", () => {
    const table = Object.entries(sheetFormats).map(([name, { products, sheet }]) => [
      `\`${name}\``,
      products,
      millimetres(sheet.label.width, sheet.label.height).join(" × "),
      `${sheet.columns} × ${sheet.rows}`,
      millimetres(sheet.pitch.x, sheet.pitch.y).join(" × "),
      millimetres(sheet.origin.x, sheet.origin.y).join(", "),
    ]);
    expect(printing.tableRows("Labels", "Sheet").sort()).toEqual(table.sort());
  });

  it("has every option of a print, with its default", () => {
    const rows = printing.tableRows("Labels", "Field");
    expect(namesIn(first(rows))).toEqual(Object.keys(PrintOptions.shape));
    const given = PrintOptions.parse({ format: "L7160" });
    for (const [name = "", , value = ""] of rows) {
      const standard = given[namesIn([name])[0] as keyof typeof given];
      if (typeof standard === "number") expect(value).toBe(String(standard));
    }
  });
});

describe("the API's page", () => {
  const api = page("api");

  it("names every endpoint but the operator's, with its scope or what else it needs", () => {
    const rows = api.tableRows("Endpoints", "Endpoint").map(([endpoint, , scope]) => [endpoint, scope]);
    const table = Object.values<Endpoint>(endpoints)
      .filter(({ auth }) => auth !== "operator")
      .map((endpoint) => [
        `\`${endpoint.method.toUpperCase()} ${endpoint.path}\``,
        endpoint.auth === "key" ? `\`${endpoint.scope}\`` : endpoint.auth,
      ]);
    expect(rows.sort()).toEqual(table.sort());
  });

  it("has the fields of a code and the columns of a CSV, in their order", () => {
    expect(namesIn(first(api.tableRows("Codes", "Field")))).toEqual(Object.keys(Qr.shape));
    const [paragraph = ""] = /Only the column.*?\n\n/s.exec(api.section("Bulk jobs")) ?? [];
    const columns = ["url", ...bulkColumns.filter((column) => column !== "url")];
    expect([...paragraph.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(columns);
  });

  it("states the plans", () => {
    const table = Object.values(plans).map((plan) => [
      plan.title,
      String(plan.requestsPerMinute),
      String(plan.bulkRows),
      plan.liveCodes === null ? "no cap" : String(plan.liveCodes),
      String(plan.creationsPerDay),
      `${plan.storedBytes / 1e6} MB`,
      `${plan.jobBytes / 1e6} MB`,
      String(plan.folders),
      String(plan.templates),
      String(plan.pages),
      String(plan.webhooks),
      plan.secretKeys ? "yes" : "no",
      plan.chosenShortName ? "yes" : "no",
    ]);
    expect(api.tableRows("Plans and rate limits", "Plan")).toEqual(table);
  });

  it("states the errors", () => {
    const rows = api.tableRows("Errors", "Status").map(([status, code]) => [code, status]);
    const table = Object.entries(httpStatusOf).map(([code, status]) => [`\`${code}\``, String(status)]);
    expect(rows.sort()).toEqual(table.sort());
  });

  it("states the limits", () => {
    const { qrList, scanList, pageList, submissionList, deliveryList } = limits;
    const lists = [qrList, scanList, pageList, submissionList, deliveryList];
    expect(api.tableRows("Paging", "List").map(([, ...bounds]) => bounds)).toEqual(
      lists.map((list) => [String(list.default), String(list.max)]),
    );
    expect(api.tableRows("Limits", "What").map(([, most]) => most)).toEqual([
      `${limits.body} bytes`,
      `${limits.bulk.rowBytes} bytes for each row that the plan allows, ${limits.bulk.body} in all`,
      `${limits.bulk.rows}, or fewer by the plan`,
      `${limits.bulkUpdate.codes} by a filter, ${limits.bulkUpdate.ids} by their ids`,
      `${limits.destination} characters`,
      `${limits.name}, ${limits.folderName}, ${limits.keyName}, ${limits.templateName} characters`,
      `${limits.keys}, ${limits.logo.count}`,
    ]);
    const { bytes, depth } = limits.freeForm;
    expect(api.sentences("Codes")).toContain(`at most ${bytes} bytes of JSON in UTF-8`);
    expect(api.sentences("Codes")).toContain(`at most ${depth} levels`);
    expect(api.sentences("Codes")).toContain(
      `At most ${limits.tags.count} labels of at most ${limits.tags.length}`,
    );
    expect(api.sentences("Idempotency")).toContain(`1 to ${limits.idempotency.key} printable ASCII`);
  });
});

describe("the other pages for users", () => {
  it("state each type's data", () => {
    const types = page("types");
    const rows = types.tableRows("Types of codes", "Type").map(([type, data]) => [type, data]);
    const table = QrData.options.map(({ shape }) => {
      const { type, ...own } = shape;
      const fields = Object.entries<z.ZodType>(own).map(
        ([name, field]) => name + (field.safeParse(undefined).success ? "?" : ""),
      );
      return [`\`${type.value}\``, `\`{${fields.join(", ")}}\``];
    });
    expect(rows).toEqual(table);
    const { line, text, list, bytes } = limits.data;
    const rules = types.sentences("Rules");
    expect(rules).toContain(`at most ${line} characters; a message, body or note has at most ${text}`);
    expect(rules).toContain(`At most ${list} phones, ${list} email addresses and ${list} urls`);
    expect(rules).toContain(`At most ${bytes} bytes of JSON`);
    expect(rules).toContain(`at most ${limits.destination} characters`);
  });

  it("state the export's options and columns", () => {
    const scans = page("scans");
    const options = namesIn(first(scans.tableRows("Export scans", "Option")));
    expect(options.sort()).toEqual(Object.keys(ExportQuery.shape).sort());
    expect(scans.section("Export scans")).toContain(`\n${exportColumns.join(",")}\n`);
    const { default: given, max } = limits.scanList;
    expect(scans.sentences("List scans")).toContain(`${given} by default and at most ${max}`);
    const filters = namesIn(first(scans.tableRows("List scans", "Filter")));
    expect([...filters, "limit"].sort()).toEqual(Object.keys(ScanListQuery.shape).sort());
    expect(scans.sentences("List scans")).toContain(`examines at most ${bounds.listedScans} scans`);
    expect(scans.sentences("Watch scans live")).toContain(
      `at most ${limits.liveConnections} live connections`,
    );
    const resumed = `first ${bounds.liveScans} scans of each of the last ${bounds.liveCalls - 1} calls`;
    expect(scans.sentences("Watch scans live")).toContain(resumed);
    expect(scans.sentences("Watch scans live")).toContain(
      `shows ${bounds.liveScansPerSecond} scans a second`,
    );
  });

  it("state the options, dimensions, settings and limits of reports", () => {
    const analytics = page("analytics");
    const asking = analytics.tableRows("Request a report", "Option");
    expect(namesIn(first(asking)).sort()).toEqual(Object.keys(WorkspaceAnalyticsQuery.shape).sort());
    const { default: given, max } = limits.dimensionItems;
    expect(asking[3]).toEqual(["`limit`", `Values per dimension, at most ${max}`, String(given)]);
    const { points, codes, codeDays } = limits.analytics;
    expect(analytics.sentences("Request a report")).toContain(`at most ${points} steps`);
    expect(analytics.sentences("Request a report")).toContain(
      `at most ${codes} codes, and codes times days at most ${codeDays}`,
    );
    expect(namesIn(first(analytics.tableRows("Dimensions", "Dimension")))).toEqual(Dimension.options);
    const settings = namesIn(first(analytics.tableRows("Time zone", "Setting")));
    expect(settings).toEqual(Object.keys(ReportingSettingsInput.shape));
  });

  it("state the images' options and limits", () => {
    const images = page("images");
    const { size, margin } = limits.image;
    const rows = images.tableRows("Options", "Option");
    expect(namesIn(first(rows))).toEqual(Object.keys(CodeImageQuery.shape));
    const { width, dpi } = limits.printedImage;
    const defaults = [
      ...["`svg`", String(size.default), `\`advanced.quietZone\`, or ${margin.default}`],
      ...["`advanced.ecc`, or [the best that fits](#error-correction)", "no"],
      ...[`${width.default} for a PDF`, String(dpi.default), "`rgb`"],
    ];
    expect(rows.map(([, , value]) => value)).toEqual(defaults);
    expect(rows[1]?.[1]).toContain(
      `${size.min} to ${size.max}; for a PNG at most ${limits.drawnPng} with a logo or a design beyond shape and colours, and ${limits.publicPng} at a public address`,
    );
    expect(rows[2]?.[1]).toContain(`${margin.min} to ${margin.max}`);
    expect(images.section("Design")).toContain(`less contrast than ${limits.contrast}:1`);
    const { bytes, side, elements, count } = limits.logo;
    const logos = images.sentences("Logos");
    expect(logos).toContain(`At most ${bytes / 1024} KiB`);
    expect(logos).toContain(`At most ${side} pixels a side`);
    expect(logos).toContain(`at most ${elements} elements`);
    expect(logos).toContain(`At most ${count} different logos`);
  });

  it("state what a publishable key can do", () => {
    const { cap, notice } = limits.keyCreations;
    const embed = page("embed");
    const rows = embed.tableRows("What a publishable key can do", "What");
    expect(namesIn([rows[0]?.[1] ?? ""])).toEqual(["qrType", "url", "data", "type", "url", "name"]);
    expect(rows[1]?.[1]).toBe(`${cap} for each key`);
    expect(embed.sentences("What a publishable key can do")).toContain(`at ${notice} codes the service logs`);
  });

  it("state what a hosted page may have", () => {
    const pages = page("pages");
    expect(namesIn(first(pages.tableRows("Content", "Field")))).toEqual(Object.keys(PageInput.shape));
    const { blocks, fields, bytes } = limits.page;
    const own = `at most ${blocks} blocks, ${fields} fields and ${bytes} bytes of JSON`;
    expect(pages.sentences("Content")).toContain(own);
    expect(pages.sentences("For the reader")).toContain(`at most ${limits.pageImage.bytes / 1024 / 1024} MB`);
    expect(pages.sentences("Submissions")).toContain(`more than ${rateLimit("SUBMISSIONS")} forms a minute`);
  });

  it("state the webhooks' rules", () => {
    const webhooks = page("webhooks");
    const { attemptOffsets, timeout, pauseAfter, retention, breaker, batch, maxInFlight, maxUrlLength } =
      webhookRules;
    const [, ...later] = attemptOffsets.map(time);
    const retries = webhooks.sentences("Retries");
    expect(retries).toContain(`${later.slice(0, -1).join(", ")} and ${later.at(-1)} after the first attempt`);
    expect(webhooks.sentences("Respond")).toContain(`within ${timeout / 1000} seconds`);
    expect(retries).toContain(`After ${pauseAfter} deliveries in a row`);
    expect(retries).toContain(`kept for ${retention / 86_400_000} days`);
    expect(retries).toContain(`${breaker.threshold} attempts in a row failed`);
    expect(retries).toContain(
      `${maxInFlight.healthy} attempts of a webhook are in progress at a time, ${maxInFlight.suspect} once one has failed, ` +
        `and ${maxInFlight.host} to one target host`,
    );
    expect(retries).toContain(breaker.backoffs.map(time).join(", "));
    const replays = first(webhooks.tableRows("Replay failed deliveries", "Situation"));
    expect(replays).toContain(`More than ${limits.replayDeliveries} deliveries`);
    expect(replays).toContain(`${webhookRules.stopReplayAfter} deliveries in a row fail again`);
    expect(webhooks.sentences("Batches")).toContain(
      `at most ${batch.maxEvents} events or ${batch.maxBytes / 1024} KB`,
    );
    expect(namesIn(first(webhooks.tableRows("Events", "Event")))).toEqual(EventKind.options);
    const settings = namesIn(first(webhooks.tableRows("Settings", "Field")));
    expect(settings.filter((name) => name !== "status").sort()).toEqual(
      Object.keys(WebhookInput.shape).sort(),
    );
    expect(webhooks.sentences("Settings")).toContain(`at most ${maxUrlLength} characters`);
  });

  it("state the limits of all that grows", () => {
    const { retention, batch, maxInFlight, storedResponseBytes } = webhookRules;
    const { high, full, reserve } = bounds.ledger;
    const { agents, places, referrers } = bounds.entries;
    const gigabytes = (bytes: number) => `${bytes / 1e9} GB`;
    const eachPlan = (limit: "storedBytes" | "jobBytes") =>
      Object.values(plans)
        .map((plan) => `${plan[limit] / 1e6} MB`)
        .join(", ")
        .replace(/, ([^,]*)$/, " or $1");
    const stated = page("limits")
      .tableRows("All limits", "Thing")
      .filter(([, limit]) => limit !== "");
    const creations = Object.values(plans)
      .map(({ creationsPerDay }) => creationsPerDay)
      .join(", ")
      .replace(/, (\d+)$/, " or $1");
    const expected = [
      [
        "Requests of a person in the dashboard, a minute",
        `${limits.dashboardRequests}, or the plan's API limit if that is higher`,
      ],
      [
        "A form",
        `${limits.form.bytes / 1024} KiB; ${limits.form.bytesWithFiles / 2 ** 20} MiB with a file; ` +
          `${limits.bulkUpdate.formBytes / 1024} KiB for a bulk update; an import's table. ` +
          `${limits.form.fields} fields, ${limits.importedFields} for an import`,
      ],
      [
        "Codes of a publishable key, a day",
        `${limits.keyCreations.cap}; only type \`url\`, a destination and a name`,
      ],
      ["Passkeys of a person", String(limits.passkeys.count)],
      [
        "People who join without a link from one network, a day",
        expect.stringMatching(`^${limits.passkeys.joinsPerDay}, `),
      ],
      ["A form to sign in or join with a passkey", "32 KiB"],
      ["Expired one-time links and challenges", "1000 of each are deleted a minute"],
      ["Expired keys", expect.stringContaining(`${limits.expiredKeyDays} days`)],
      ["Overlap of a rotated key", `${limits.keyOverlapHours.max} hours`],
      ["Revoked keys", expect.stringContaining(`${limits.revokedKeyDays} days`)],
      [
        "Idempotency records",
        expect.stringContaining(`${limits.idempotency.milliseconds / 3_600_000} hours`),
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
        "Attempts to change a code or page that other requests are changing",
        `${limits.changeAttempts.count}; a suspension keeps trying for ${limits.changeAttempts.suspensionSeconds} seconds`,
      ],
      ["Deleted codes and hosted pages", expect.stringContaining(`${limits.deletedDays} days;`)],
      [
        "Deleted folders and templates",
        expect.stringContaining(`${limits.deletedDays} days, and the latest ${limits.deletedKept} of each`),
      ],
      [
        "[Shared reports](analytics.md#shared-reports) of a workspace, ended ones included",
        `${limits.sharedReports}`,
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
      ["Cells of a failed row", `${limits.failedRow} bytes as JSON`],
      ["Codes that a bulk update matches", `${limits.bulkUpdate.codes}`],
      [
        "Codes that the dashboard checks before a bulk update",
        `${limits.bulkUpdate.lookedAt}; it offers ${limits.bulkUpdate.hosts} of their hosts to replace`,
      ],
      [
        "Codes of a bulk update that are changed and not yet settled",
        `${limits.bulkUpdate.unsettled}, in five slices`,
      ],
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
        "Codes examined for a page of results, with a filter that has no index (words, status, part of the destination)",
        `${bounds.searchedCodes}`,
      ],
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
      [
        `Time to read each ${blockBytes / 1024} KiB of an export or download`,
        `${stallTimeout / 1000} seconds`,
      ],
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
      ["Ended deliveries of a webhook", `${retention / 86_400_000} days and ${bounds.endedEvents} events`],
      ["Pending deliveries of a webhook", `${bounds.pendingEvents} events`],
      [
        "Deliveries of a [replay](webhooks.md#replay-failed-deliveries)",
        `${limits.replayDeliveries}; one replay of a webhook at a time, the last ${bounds.replays} are kept`,
      ],
      ["Open batch of a webhook", `${batch.maxEvents} events or ${batch.maxBytes / 1024} KB`],
      [
        "Attempts in progress of a webhook",
        `${maxInFlight.healthy}; ${maxInFlight.suspect} once one has failed`,
      ],
      ["Attempts in progress to one target host", `${maxInFlight.host} per workspace`],
      ["Stored bytes of a receiver's response", `${storedResponseBytes}`],
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
      ["Pixels per side of a PNG from the images Worker", `${limits.drawnPng}, which takes 50 MiB`],
      [
        "Calls in progress of the images Worker, per isolate",
        `${bounds.imagesWorker.drawings} drawings, in less than 100 MiB, ${bounds.imagesWorker.documents} PDFs and ${bounds.imagesWorker.measurements} measurements`,
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
      ["Open abuse reports of one code", `${limits.abuseReport.openPerCode}`],
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

  it("state the guarantee in the numbers of the code", () => {
    const guarantee = page("guarantee");
    const text = guarantee.sentences("The guarantee");
    expect(text).toContain(`later than ${routing.viewMilliseconds / 1000} second.`);
    expect(text).toContain(`at most the ${routing.memoryMilliseconds / 1000} s that an isolate remembers`);
    const values = new Map<string, number>(Object.entries(routing));
    const rows = guarantee.tableRows("Timing", "Time");
    expect(rows.map(([name, value]) => [name, value])).toEqual(
      namesIn(first(rows)).map((name) => [`\`${name}\``, String(values.get(name))]),
    );
  });
});
