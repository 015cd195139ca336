import type * as z from "zod";
import type { QrCreateInput, QrUpdateInput } from "../../src/contract/resources/codes/qr.ts";
import type { PageInput as PageSchema } from "../../src/contract/resources/pages.ts";

// An example company, as the documentation's pictures and `npm run dev -- --example` show it. Its times are relative.

export const companyName = "Harbour Coffee";
export const userName = "Inês Almeida";
export const timeZone = "Europe/Lisbon";

export const folders = ["Cafés", "Packaging", "Campaigns"] as const;

/** A code, its age, and how often it is scanned. */
export interface StagedCode {
  /** Whether its short link has the company's domain. */
  readonly atDomain?: true;
  /** Paths of older short links at the company's domain, which lead to it. */
  readonly oldPaths?: readonly string[];
  readonly input: Omit<QrCreateInput, "folderId"> & { readonly hash: string };
  /** The name of the logo in its middle. */
  readonly logo?: (typeof brand.logos)[number]["name"];
  readonly folder?: (typeof folders)[number];
  /** How many days ago it was created. */
  readonly age: number;
  /** In how many days it expires. */
  readonly expiresIn?: number;
  /** Human scans in the last 60 days. */
  readonly scans: number;
  /** How much more often it is scanned at the end than at the beginning. */
  readonly growth: number;
}

/** The company's domain: the name on its pages, and where the host itself leads. */
export const domain = { name: companyName, rootUrl: "https://harbour.example/" } as const;

const url = (address: string) => ({ qrType: "url", data: { type: "url", url: address } }) as const;
const green = { dotsColor: "#14532d" };
const blue = { dotsColor: "#1e3a5f" };
const terracotta = { dotsColor: "#7c2d12" };

/** All codes. A code of the type `servicepage` shows the company's only page, whose id is filled in. */
export const codes: readonly StagedCode[] = [
  {
    input: {
      ...url("https://harbour.example/menu/spring"),
      hash: "summer-menu",
      name: "Summer menu, on the tables",
      tags: ["menu", "summer"],
      colorConfig: blue,
      advanced: { modules: "connected", eyeFrame: "rounded", eyeCenter: "circle" },
      utm: { source: "table", campaign: "summer" },
    },
    logo: "Cup",
    folder: "Cafés",
    age: 75,
    scans: 2460,
    growth: 2.2,
  },
  {
    input: {
      ...url("https://harbour.example/coffees/ethiopia-guji"),
      hash: "guji-250g",
      name: "Ethiopia Guji, 250 g bag",
      tags: ["label"],
      colorConfig: green,
      advanced: {
        modules: "connected",
        eyeFrame: "leaf",
        eyeCenter: "leaf",
        gradient: { type: "linear", to: "#3f6212", angle: 45 },
      },
    },
    folder: "Packaging",
    oldPaths: ["Guji_2019", "bags/guji"],
    age: 74,
    scans: 930,
    growth: 1.2,
  },
  {
    input: {
      qrType: "applink",
      data: {
        type: "applink",
        ios: "https://apps.apple.com/app/harbour-coffee/id1",
        android: "https://play.google.com/store/apps/details?id=example.harbour",
        fallback: "https://harbour.example/app",
      },
      hash: "loyalty",
      name: "Loyalty app, at the till",
      tags: ["app"],
      colorConfig: blue,
      advanced: {
        eyeFrame: "rounded",
        eyeCenter: "rounded",
        frame: { style: "label", text: "Collect your beans" },
      },
    },
    folder: "Cafés",
    age: 73,
    scans: 610,
    growth: 0.8,
  },
  {
    input: {
      ...url("https://harbour.example/tram28"),
      hash: "tram-28",
      name: "Tram 28 poster",
      tags: ["poster", "summer"],
      fallbackUrl: "https://harbour.example/",
      colorConfig: { ...terracotta, backgroundColor: "#fff7ed" },
      advanced: {
        modules: "rounded",
        eyeFrame: "drop",
        eyeCenter: "drop",
        gradient: { type: "linear", to: "#b45309", angle: 90 },
        backgroundRadius: 3,
      },
    },
    folder: "Campaigns",
    age: 40,
    expiresIn: 63,
    scans: 420,
    growth: 3,
  },
  {
    input: {
      qrType: "location",
      data: {
        type: "location",
        latitude: 38.7071,
        longitude: -9.1455,
        label: "Harbour Coffee, Cais do Sodré",
      },
      hash: "cais-do-sodre",
      name: "Way to Cais do Sodré",
      tags: ["poster"],
      colorConfig: blue,
      advanced: { modules: "dots", eyeFrame: "circle", eyeCenter: "circle" },
    },
    logo: "Waves",
    folder: "Campaigns",
    age: 39,
    scans: 150,
    growth: 1,
  },
  {
    input: {
      qrType: "vcard",
      data: {
        type: "vcard",
        firstName: "Tomás",
        lastName: "Ferreira",
        organization: "Harbour Coffee",
        title: "Head of roasting",
        phones: ["+351 21 123 4567"],
        emails: ["tomas@harbour.example"],
      },
      hash: "tomas",
      name: "Business card, Tomás",
    },
    age: 30,
    scans: 64,
    growth: 1.5,
  },
  {
    input: {
      qrType: "whatsapp",
      data: { type: "whatsapp", phone: "+351 912 345 678", message: "I would like to order " },
      hash: "wholesale",
      name: "Wholesale orders",
      tags: ["wholesale"],
    },
    atDomain: true,
    age: 22,
    scans: 210,
    growth: 1.4,
  },
  {
    input: {
      qrType: "servicepage",
      data: { type: "servicepage", pageId: "" },
      hash: "tasting",
      name: "Tasting on the terrace",
      tags: ["event"],
      colorConfig: green,
      advanced: {
        modules: "connected",
        eyeFrame: "leaf",
        eyeCenter: "leaf",
        gradient: { type: "radial", to: "#3f6212" },
        frame: { style: "line", text: "Keep a table" },
      },
    },
    folder: "Campaigns",
    age: 8,
    scans: 130,
    growth: 1.2,
  },
  {
    input: {
      qrType: "email",
      data: { type: "email", to: "hello@harbour.example", subject: "My visit" },
      hash: "feedback",
      name: "Feedback card, on the receipt",
      tags: ["receipt"],
    },
    folder: "Cafés",
    age: 60,
    scans: 46,
    growth: 0.9,
  },
  {
    input: {
      qrType: "sms",
      data: { type: "sms", phone: "+351 912 345 678", message: "Ready for collection?" },
      hash: "collect",
      name: "Collection counter",
      tags: ["app"],
    },
    folder: "Cafés",
    age: 50,
    scans: 88,
    growth: 1.1,
  },
  {
    input: {
      qrType: "telegram",
      data: { type: "telegram", username: "harbourcoffee" },
      hash: "roast-club",
      name: "Roast club, on the subscription box",
      tags: ["label"],
      colorConfig: terracotta,
      advanced: {
        modules: "vertical",
        eyeFrame: "rounded",
        eyeCenter: "rounded",
        frame: { style: "solid", text: "Join the roast club" },
      },
    },
    folder: "Packaging",
    atDomain: true,
    age: 33,
    scans: 120,
    growth: 1.6,
  },
  {
    input: {
      ...url("https://harbour.example/easter"),
      hash: "easter",
      name: "Easter window",
      tags: ["poster"],
      colorConfig: { dotsColor: "#6b21a8" },
      advanced: {
        modules: "rounded",
        eyeFrame: "leaf",
        eyeCenter: "circle",
        gradient: { type: "linear", to: "#a21caf", angle: 45 },
      },
    },
    folder: "Campaigns",
    age: 90,
    scans: 58,
    growth: 0.1,
  },
];

/** Countries with their cities, and how many percent of the scans come from each. */
export const places: readonly (readonly [country: string, city: string, weight: number])[] = [
  ["PT", "Lisbon", 46],
  ["PT", "Porto", 12],
  ["PT", "Setúbal", 4],
  ["ES", "Madrid", 7],
  ["ES", "Seville", 3],
  ["GB", "London", 6],
  ["DE", "Berlin", 5],
  ["DE", "Hamburg", 2],
  ["FR", "Paris", 5],
  ["US", "New York", 3],
  ["US", "Boston", 2],
  ["BR", "São Paulo", 3],
  ["NL", "Amsterdam", 2],
];

export const userAgents: readonly (readonly [userAgent: string, weight: number])[] = [
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    48,
  ],
  [
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    30,
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    9,
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    5,
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", 4],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 4],
];

export const referrers: readonly (readonly [host: string | null, weight: number])[] = [
  [null, 88],
  ["www.instagram.com", 7],
  ["harbour.example", 5],
];

/**
 * How many percent of a day's scans are made in each hour, from 7 on: peaks in the morning, at lunch and in the
 * afternoon.
 */
export const hours = [4, 9, 12, 10, 8, 10, 12, 9, 8, 7, 5, 3, 2, 1] as const;
export const firstHour = 7;

/** A cup with steam on a saucer, in the company's colour. */
const cup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#1e3a5f" d="M4 9h12.5v5.5a4.5 4.5 0 0 1-4.5 4.5H8.5A4.5 4.5 0 0 1 4 14.5zM16.5 10h1.2a2.9 2.9 0 0 1 0 5.8h-1.2v-1.7h1.2a1.2 1.2 0 0 0 0-2.4h-1.2zM3 20.3h15v1.7H3z"/><path fill="none" stroke="#1e3a5f" stroke-width="1.5" stroke-linecap="round" d="M8 6.6c-1-1.2 1-2.2 0-3.6M12 6.6c-1-1.2 1-2.2 0-3.6"/></svg>`;

/** Waves below a sun, wider than high. */
const waves = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"><path d="M24 3a7 7 0 0 1 7 7H17a7 7 0 0 1 7-7z" fill="#7c2d12"/><path d="M2 14q5.5-4 11 0t11 0 11 0 11 0M2 20q5.5-4 11 0t11 0 11 0 11 0" fill="none" stroke="#1e3a5f" stroke-width="2.5"/></svg>`;

const asUri = (svg: string): string => `data:image/svg+xml;base64,${btoa(svg)}`;

/** The company's colours and logos. */
export const brand = {
  colors: [
    { hex: "#1e3a5f", name: "Harbour" },
    { hex: "#14532d", name: "Coffee leaf" },
    { hex: "#7c2d12", name: "Terracotta" },
    { hex: "#fff7ed", name: "Oat milk" },
  ],
  logos: [
    { name: "Cup", logo: asUri(cup) },
    { name: "Waves", logo: asUri(waves) },
  ],
} as const;

/** The company's designs. */
export const templates: readonly object[] = [
  {
    name: "House style",
    colorConfig: { dotsColor: "#1e3a5f" },
    logo: asUri(cup),
  },
  { name: "Packaging", colorConfig: { dotsColor: "#14532d" }, shape: "circle" },
  { name: "Posters", colorConfig: { dotsColor: "#7c2d12", backgroundColor: "#fff7ed" } },
];

type PageInput = z.input<typeof PageSchema>;

/** A hosted page with a form, and its submissions, oldest first. */
export const page = {
  title: "Tasting on the terrace",
  intro: "Five coffees, five small plates. Every Saturday, on our terrace by the harbour.",
  blocks: [
    { type: "text", text: "Tables for two to six. We keep yours for fifteen minutes." },
    { type: "link", label: "See the menu", url: "https://harbour.example/tasting" },
  ],
  form: {
    fields: [
      { type: "text", name: "name", label: "Your name", required: true },
      { type: "email", name: "email", label: "Email", required: true },
      { type: "choice", name: "time", label: "When?", options: ["12:00", "14:00", "16:00"], required: true },
      { type: "checkbox", name: "vegetarian", label: "Vegetarian" },
    ],
    button: "Keep a table",
    thanks: "See you on the terrace!",
  },
  colors: { background: "#fdf8f0", accent: "#14532d" },
  look: "bold",
} as const satisfies PageInput;

export const answers: readonly Readonly<Record<string, string>>[] = [
  { name: "Rui Marques", email: "rui@marques.example", time: "12:00" },
  { name: "Ana Sofia Lopes", email: "ana.lopes@example.com", time: "14:00", vegetarian: "yes" },
  { name: "Tom Fisher", email: "tom.fisher@example.com", time: "14:00" },
  { name: "Beatriz Nunes", email: "bea@nunes.example", time: "16:00", vegetarian: "yes" },
  { name: "Miguel Santos", email: "miguel.santos@example.com", time: "12:00" },
  { name: "Clara Vogel", email: "clara@vogel.example", time: "16:00" },
];

/** The company's webhook, and how many days ago it was added. */
export const webhook = { events: ["qr.created", "qr.updated", "page.submitted"], age: 20 } as const;

interface StagedChange {
  readonly hash: string;
  /** How many days ago it was made. */
  readonly age: number;
  readonly input: z.input<typeof QrUpdateInput>;
  /** How many times the receiver refuses the event of it. */
  readonly refusals: number;
}

/** People of the company besides its owner. */
export const colleagues = [
  { name: "Tomás Ferreira", role: "editor" },
  { name: "Rita Sousa", role: "viewer" },
] as const;

/** Changes that the editor makes in the dashboard: a path after that of the code, and its form. */
export const editsOfColleague = [
  {
    hash: "feedback",
    age: 25,
    path: "destination",
    form: { "data.to": "visits@harbour.example" },
  },
  { hash: "easter", age: 16, path: "pause", form: {} },
] as const;

/** A job that the company undoes after a while. Days ago. */
export const undoneJob = {
  age: 5,
  undoneAfterMinutes: 20,
  input: { filter: { tag: "poster" }, change: { addTags: ["2025"], removeTags: ["poster"] } },
} as const;

/** Changes of codes, which the webhook gets as events. */
export const changes: readonly StagedChange[] = [
  {
    hash: "summer-menu",
    age: 14,
    input: { data: { type: "url", url: "https://harbour.example/menu/summer" } },
    refusals: 0,
  },
  {
    hash: "tram-28",
    age: 12,
    input: { data: { type: "url", url: "https://harbour.example/tram-28" } },
    refusals: 8,
  },
  { hash: "wholesale", age: 6, input: { tags: ["wholesale", "cafés"] }, refusals: 0 },
  { hash: "loyalty", age: 2, input: { shape: "circle" }, refusals: 1 },
];
