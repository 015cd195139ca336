import { QrType } from "../../src/contract/resources/enums.ts";
import { TemplateInput } from "../../src/contract/resources/images/templates.ts";
import { newHash } from "../../src/lib/text/hash.ts";
import { validData } from "./types.ts";

const pixel = TemplateInput.shape.logo.unwrap().meta()?.example;

const fullDesign = {
  modules: "connected",
  eyeFrame: "leaf",
  eyeCenter: "drop",
  gradient: { type: "linear", to: "#203080", angle: 45 },
  eyeGradient: { type: "radial", to: "darkred", angle: 0 },
  backgroundRadius: 2.5,
  logo: { size: 0.25, padding: 1.5, cutout: "circle" },
  frame: { style: "label", text: "Scan me", color: "navy", textColor: "white" },
  quietZone: 5,
  ecc: "Q",
  compact: true,
};

const prints = [
  {
    ids: ["01900000-0000-7000-8000-000000000001"],
    format: "L7160",
    start: 2,
    copies: 3,
    captions: ["name"],
    captionSize: 3,
    padding: 2,
    cutMarks: true,
    ink: "k100",
    dpi: 600,
    calibration: { offset: { x: 0.5, y: -0.5 }, pitch: { x: 0.1, y: 0.1 } },
  },
  {
    ids: ["01900000-0000-7000-8000-000000000001"],
    sheet: {
      page: { width: 210, height: 297 },
      label: { width: 60, height: 40 },
      columns: 3,
      rows: 7,
      pitch: { x: 62, y: 40 },
      origin: { x: 10, y: 8 },
      rotate: 90,
    },
  },
  {
    filter: {
      ...{ folderId: "a", tag: "a", qrType: "url", status: "active", q: "a", externalId: "a", hash: "menu" },
      ...{
        scanUrl: "http://localhost:8787/menu",
        destination: "example.com/a",
        destinationHost: "example.com",
      },
    },
    format: "L7160",
  },
  { jobId: "01900000-0000-7000-8000-000000000001", format: "L7160" },
];

const archives = [
  {
    ids: ["01900000-0000-7000-8000-000000000001"],
    format: "png",
    size: 1024,
    mm: 30,
    dpi: 600,
    ink: "rgb",
    encoding: "utf-16",
  },
  { filter: { tag: "a" } },
  { jobId: "01900000-0000-7000-8000-000000000001" },
];

/** Every field of a code that its type doesn't determine. */
const fullCode = {
  scanUrl: "https://example.com/another",
  name: "A name",
  folderId: null,
  tags: ["a"],
  status: "active",
  shape: "square",
  colorConfig: { dotsColor: "black", backgroundColor: "white", cornerColor: "black" },
  advanced: fullDesign,
  startsAt: "2030-01-01T00:00:00Z",
  expiresAt: "2031-01-01T00:00:00Z",
  fallbackUrl: "example.com/closed",
  utm: { source: "a", medium: "b", campaign: "c", term: "d", content: "e" },
  query: "merge",
  domain: null,
  aliases: [],
};

/** Bodies with a value in every field, including nested ones. */
const bodies: Record<string, object[]> = {
  createQr: [
    ...QrType.options.map((qrType) => ({
      qrType,
      data: {
        ...validData[qrType],
        ...(qrType === "vcard" && {
          phones: ["+49 30 901820", { number: "+49 170 1234567", label: "Hotline" }],
          phoneLabels: ["work", null],
          emails: ["ada@example.com"],
          urls: ["example.com"],
          address: { city: "London" },
          note: "A note",
        }),
        ...(qrType === "email" && { body: "Hello", cc: "c@example.com", bcc: "b@example.com" }),
      },
      ...(qrType === "url" && fullCode),
    })),
    { qrType: "vcard", data: { type: "vcard", organization: "Example GmbH" } },
    {
      qrType: "url",
      data: validData.url,
      /** Different in each copy, since hashes are never reused. */
      get hash() {
        return newHash();
      },
      get externalId() {
        return newHash();
      },
    },
  ],
  updateQr: [
    {
      name: "A name",
      qrType: "url",
      data: validData.url,
      externalId: "SKU-1",
      hash: "00000000",
      folderId: null,
      tags: ["a"],
      status: "active",
      templateId: null,
      shape: null,
      colorConfig: { dotsColor: "black", backgroundColor: null, cornerColor: "black" },
      advanced: fullDesign,
      startsAt: "2030-01-01T00:00:00Z",
      expiresAt: "2031-01-01T00:00:00Z",
      fallbackUrl: "example.com/closed",
      utm: { source: "a", medium: null, campaign: "c", term: "d", content: "e" },
      query: "raw",
      domain: "go.example.com",
      aliases: ["go.example.com/Menu_2019"],
    },
  ],
  addAlias: [{ alias: "go.example.com/Menu_2019" }],
  putQr: [
    {
      qrType: "url",
      data: validData.url,
      externalId: "SKU 1",
      ...fullCode,
    },
    // Can't be changed, so it would be the problem of every other body.
    { hash: "00000000" },
  ],
  printLabels: prints,
  createLabelJob: prints,
  archiveImages: archives,
  createImageJob: archives,
  bulkUpdate: [
    {
      ids: ["01900000-0000-7000-8000-000000000001"],
      change: {
        addTags: ["a"],
        removeTags: ["b"],
        folderId: null,
        status: "active",
        templateId: null,
        colorConfig: { dotsColor: "black", backgroundColor: null, cornerColor: "black" },
        shape: null,
        replace: { host: { from: "old.example", to: "new.example" } },
      },
      dryRun: false,
    },
    {
      filter: {
        ...{
          folderId: "a",
          tag: "a",
          qrType: "url",
          status: "active",
          q: "a",
          externalId: "a",
          hash: "menu",
        },
        ...{
          scanUrl: "http://localhost:8787/menu",
          destination: "example.com/a",
          destinationHost: "example.com",
        },
      },
      change: { replace: { prefix: { from: "https://old.example/a", to: "https://new.example/b" } } },
      dryRun: true,
    },
    { filter: {}, change: { delete: true }, dryRun: true },
    {
      items: [{ externalId: "A", hash: "menu", scanUrl: "http://localhost:8787/menu", name: "A name" }],
      force: true,
      dryRun: true,
    },
  ],
  changeReporting: [{ timeZone: "Europe/Berlin", keepScansDays: 90 }],
  createKey: [
    {
      ...{ name: "A key", type: "secret", scopes: ["qr:read"], personConfirms: true },
      expiresAt: "2900-01-31T09:30:00Z",
    },
    { name: "A key", type: "publishable", origins: ["https://shop.example"], usesDomains: true },
  ],
  deleteWorkspace: [{ name: "Another workspace", codes: "stop" }],
  deleteAccount: [{ email: "another@example.com", codes: "freeze" }],
  updateKey: [{ usesDomains: true }],
  rotateKey: [{ overlapHours: 24, expiresAt: "2900-01-31T09:30:00Z" }],
  createPage: [
    {
      title: "A page",
      intro: "An intro",
      blocks: [
        { type: "text", text: "A text" },
        { type: "link", label: "A link", url: "example.com" },
        { type: "image", url: "https://example.com/a.jpg", alt: "An image" },
      ],
      form: {
        fields: [
          { type: "text", name: "a", label: "A", required: true, multiline: true },
          { type: "choice", name: "b", label: "B", options: ["1", "2"] },
        ],
        button: "Send",
        thanks: "Thanks",
      },
      header: { url: "https://example.com/top.jpg", alt: "An image" },
      colors: { background: "white", text: "black", accent: "navy" },
      look: "card",
      scheme: "light",
      language: "pt-BR",
    },
  ],
  createTemplate: [
    {
      name: "A template",
      colorConfig: { dotsColor: "black" },
      shape: "circle",
      advanced: fullDesign,
      logo: pixel,
    },
  ],
  createSavedList: [
    {
      name: "A list",
      shared: true,
      filter: {
        ...{ q: "menu", tag: "menu", qrType: "url", status: "paused" },
        folderId: "01900000-0000-7000-8000-000000000001",
        ...{ externalId: "SKU-1", destinationHost: "shop.example", destinationPart: "menu" },
      },
      sort: "name",
      order: "asc",
      columns: ["destination", "scanUrl"],
    },
  ],
  measureDesign: [
    {
      templateId: null,
      colorConfig: { dotsColor: "black" },
      shape: "circle",
      advanced: fullDesign,
      hashLength: 8,
    },
  ],
  createDomain: [
    {
      host: "go.example.com",
      isDefault: true,
      name: "Harbour Coffee",
      rootUrl: "example.com",
      unknownUrl: "example.com/lost",
      query: "merge",
    },
  ],
  updateDomain: [
    { isDefault: false, name: null, rootUrl: null, unknownUrl: "example.com/lost", query: "off" },
  ],
  putDomain: [{ workspaceId: "01900000-0000-7000-8000-000000000001" }],
  updateBrand: [{ colors: [{ hex: "#14532d", name: "Forest" }] }],
  createPageImage: [{ image: pixel }],
  createBrandLogo: [{ name: "Wordmark", logo: pixel }],
  updateBrandLogo: [{ name: "Wordmark" }],
  updateWorkspace: [{ name: "Harbour", logoId: null }],
  createWebhook: [
    {
      url: "https://example.com/hook",
      events: ["qr.created"],
      scopeQrId: null,
      scopePageId: null,
      mode: "realtime",
      headers: [{ name: "Authorization", value: "Bearer 1" }],
    },
  ],
  createReplay: [{ since: "2026-01-31T09:30:00Z", includeSkipped: true, dryRun: true }],
  updateWebhook: [
    {
      url: "https://example.com/hook",
      events: ["qr.created"],
      scopeQrId: null,
      scopePageId: null,
      mode: "realtime",
      status: "active",
      headers: [{ name: "authorization" }],
    },
  ],
  changePlan: [{ plan: "business", requestsPerMinute: 700, storedBytes: 1_000_000_000 }],
  createSignInLink: [
    { kind: "owner" },
    { kind: "recovery", userId: "01900000-0000-7000-8000-000000000001" },
    { kind: "confirmation", userId: "01900000-0000-7000-8000-000000000001" },
  ],
  decideAbuseReport: [
    { decision: "acted_on", note: "A note", suspend: { reason: "Phishing", legalOrder: false } },
  ],
  suspendQr: [{ reason: "Phishing", legalOrder: true }],
  suspendPage: [{ reason: "Phishing", legalOrder: true }],
  suspendWorkspace: [{ reason: "Phishing", legalOrder: true }],
  suspendDomain: [{ reason: "Phishing", legalOrder: true }],
};

/** A code by the own id in its path has it in its body, too. */
export const fullBodies: Record<string, object[]> = {
  ...bodies,
  putQrByOwnId: (bodies.putQr ?? []).map((body) =>
    "qrType" in body ? { ...body, externalId: "SKU-1" } : body,
  ),
};
fullBodies.updatePage = fullBodies.createPage ?? [];
fullBodies.updateSavedList = fullBodies.createSavedList ?? [];
fullBodies.updateTemplate = fullBodies.createTemplate ?? [];

export type Path = (string | number)[];

/** Returns the paths of all values in a body. */
export function pathsIn(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const step = Array.isArray(value) ? Number(name) : name;
    return [[step], ...pathsIn(each).map((rest): Path => [step, ...rest])];
  });
}

/** Returns a body with another value at a path, or without it if the value is undefined. */
export function withValue(body: unknown, path: Path, value: unknown): object {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  let holder = copy;
  for (const step of path.slice(0, -1)) holder = holder[step] as typeof copy;
  holder[path.at(-1) ?? ""] = value;
  return copy;
}

/** Words that occur in zod's own messages. */
export const zodWords =
  /expected|received|invalid (input|option|type|string|number|key|value|uuid|iso|url|email|discriminator)|invalid_|too (big|small)|unrecognized|\brecord\b|zod|match pattern|[<>]=?\s?\d|undefined/i;
