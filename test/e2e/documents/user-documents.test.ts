import { describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { httpStatusOf } from "../../../src/contract/error-codes.ts";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { QrData } from "../../../src/contract/resources/codes/qr-data.ts";
import { bulkColumns } from "../../../src/contract/resources/codes/qr-fields.ts";
import {
  Domain,
  DomainProblem,
  DomainStatus,
  DomainUpdate,
} from "../../../src/contract/resources/domains.ts";
import { EventKind } from "../../../src/contract/resources/enums.ts";
import { bodyBounds } from "../../../src/contract/resources/free-form.ts";
import { CodeImageQuery } from "../../../src/contract/resources/images/images.ts";
import { PrintOptions } from "../../../src/contract/resources/images/prints.ts";
import { PageInput } from "../../../src/contract/resources/pages.ts";
import {
  Dimension,
  ReportingSettingsInput,
  WorkspaceAnalyticsQuery,
} from "../../../src/contract/resources/scans/analytics.ts";
import { ScanListQuery } from "../../../src/contract/resources/scans/scan-filters.ts";
import { ExportQuery, exportColumns } from "../../../src/contract/resources/scans/scans.ts";
import { WebhookInput } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { isAtLeast, permissions, roles } from "../../../src/contract/roles.ts";
import { scopeTexts } from "../../../src/contract/scopes.ts";
import { routing } from "../../../src/edge/routing/timing.ts";
import { mailNetworks } from "../../../src/edge/scans/mail-networks.ts";
import { sheetFormats } from "../../../src/lib/print/sheets.ts";
import { botRules, peoplesWords, unknownRule } from "../../../src/lib/text/bot-rules.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { webhookRules } from "../../../src/protocol/webhook-rules.ts";
import { first, namesIn, page } from "../support/documents/documents.ts";
import { rateLimit } from "../support/installation/configuration.ts";

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

function requirementOf(endpoint: Endpoint): string {
  if (endpoint.auth === "key") {
    return endpoint.scope === null ? "any secret key" : `\`${endpoint.scope}\``;
  }
  return endpoint.auth === "session" && endpoint.scope !== undefined
    ? `\`${endpoint.scope}\` or session`
    : "session";
}

describe("the API's page", () => {
  const api = page("api");

  it("names every endpoint but the operator's, with its scope or what else it needs", () => {
    const rows = api.tableRows("Endpoints", "Endpoint").map(([endpoint, , scope]) => [endpoint, scope]);
    const table = Object.values<Endpoint>(endpoints)
      .filter(({ auth }) => auth !== "operator")
      .map((endpoint) => [`\`${endpoint.method.toUpperCase()} ${endpoint.path}\``, requirementOf(endpoint)]);
    expect(rows.sort()).toEqual(table.sort());
  });

  it("lists every scope, with what it allows", () => {
    const table = Object.entries(scopeTexts).map(([scope, { about }]) => [`\`${scope}\``, about]);
    expect(api.tableRows("Scopes", "Scope")).toEqual(table);
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
      String(plan.domains),
      plan.secretKeys ? "yes" : "no",
      plan.chosenShortName ? "yes" : "no",
    ]);
    expect(api.tableRows("Plans and rate limits", "Plan")).toEqual(table);
  });

  it("states the roles", () => {
    const rows = Object.values(permissions).map(({ role: lowest, what }) => [
      what.charAt(0).toUpperCase() + what.slice(1),
      ...roles.map((role) => (isAtLeast(role, lowest) ? "yes" : "")),
    ]);
    expect(page("members").tableRows("Roles", "")).toEqual(rows);
  });

  it("states the errors", () => {
    const rows = api.tableRows("Errors", "Status").map(([status, code]) => [code, status]);
    const table = Object.entries(httpStatusOf).map(([code, status]) => [`\`${code}\``, String(status)]);
    const others = ["409", "412"].map((status) => ["`invalid_input`", status]);
    expect(rows.sort()).toEqual([...table, ...others].sort());
  });

  it("states the limits", () => {
    const { qrList, scanList, pageList, submissionList, deliveryList } = limits;
    const lists = [qrList, scanList, pageList, submissionList, deliveryList];
    expect(api.tableRows("Paging", "List").map(([, ...bounds]) => bounds)).toEqual(
      lists.map((list) => [String(list.default), String(list.max)]),
    );
    expect(api.tableRows("Limits", "What").map(([, most]) => most)).toEqual([
      `${limits.body} bytes`,
      `${bodyBounds.fields}; ${bodyBounds.entries}. A bulk job: in each item, ` +
        `and ${limits.bulkValues.fields}; ${limits.bulkValues.entries} in all items. ` +
        `\`colorConfig\` and \`advanced\` don't count, but have ${bodyBounds.parts[0].values} values at most`,
      `${limits.bulk.rowBytes} bytes for each row that the plan allows, ${limits.bulk.body} in all`,
      `${limits.bulk.rows}, or fewer by the plan`,
      `${limits.bulkUpdate.codes} by a filter, ${limits.bulkUpdate.ids} by their ids`,
      `${limits.destination} characters`,
      `${limits.name}, ${limits.folderName}, ${limits.keyName}, ${limits.templateName} characters`,
      `${limits.externalId} characters`,
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

  it("list the rules by which scans are bots', their exceptions, and the networks of mail", () => {
    const bots = page("bots");
    expect(bots.tableRows("The rules", "Rule")).toEqual(
      Object.entries(botRules).map(([rule, sorts]) => [`\`${rule}\``, sorts]),
    );
    const exceptions = [...bots.section("Exceptions").matchAll(/^- (.*)$/gm)].map(([, whose]) => whose);
    expect(exceptions).toEqual(peoplesWords.map(([whose]) => whose));
    const networks = bots
      .tableRows("Networks of mail", "Network")
      .flatMap(([name, numbers = ""]) =>
        numbers.split(", ").map((number) => [Number(number.replace("AS", "")), name]),
      );
    expect(networks).toEqual([...mailNetworks]);
    expect(bots.sentences("Find a bot's scans")).toContain(`\`${unknownRule}\` for a bot's`);
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
    expect(images.section("Design")).toContain(`contrast is at least ${limits.contrast}:1`);
    const { bytes, side, elements, count } = limits.logo;
    const logos = images.sentences("Logos");
    expect(logos).toContain(`At most ${bytes / 1024} KiB`);
    expect(logos).toContain(`At most ${side} pixels a side`);
    expect(logos).toContain(`at most ${elements} elements`);
    expect(logos).toContain(`At most ${count} different logos`);
  });

  it("state a domain's statuses, problems and settings, and the limits of domains and aliases", () => {
    const domains = page("domains");
    const names = (section: string, heading: string) => namesIn(first(domains.tableRows(section, heading)));
    expect(names("Status and problems", "`status`")).toEqual(DomainStatus.options);
    expect(names("Status and problems", "`problem`").sort()).toEqual(DomainProblem.options.toSorted());
    expect(names("Settings", "Field")).toEqual(Object.keys(DomainUpdate.shape));
    expect(Object.keys(Domain.shape)).toEqual(expect.arrayContaining(names("Settings", "Field")));
    expect(domains.tableRows("Limits", "Plan")).toEqual(
      Object.values(plans).map((plan) => [plan.title, String(plan.domains)]),
    );
    expect(domains.sentences("Limits")).toContain(`at most ${limits.domain.host} characters`);
    expect(domains.sentences("A host of your own")).toContain(`within ${limits.domain.claimDays} days`);
    const { count, bytes } = limits.aliases;
    expect(domains.sentences("Aliases")).toContain(
      `can have ${count}, each with a path of at most ${bytes} bytes`,
    );
  });

  it("state what a publishable key can do", () => {
    const { cap, notice, network, share } = limits.keyCreations;
    const embed = page("embed");
    const rows = embed.tableRows("What a publishable key can do", "What");
    expect(namesIn([rows[0]?.[1] ?? ""])).toEqual(["qrType", "url", "data", "type", "url", "name"]);
    expect(rows[1]?.[1]).toBe(`${cap} for each key, of these ${network} for each network of visitors`);
    expect(rows[2]?.[1]).toContain(`${100 * share} %`);
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
