import { expect } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { newFormToken } from "../../src/domain/pages/form-guard.ts";
import { type Client, phone, Service, type SessionClient } from "./service.ts";

/** A key and a session of the same workspace, to create hosted pages and codes for them. */
export interface PageMaker {
  readonly client: Client;
  readonly session: SessionClient;
}

export async function pageMaker(service: Service, plan: "pro" | "business" = "business"): Promise<PageMaker> {
  const client = await service.workspace(plan);
  return { client, session: await service.sessionIn(client.workspaceId) };
}

export const makePage = ({ session }: PageMaker, input: object = {}): Promise<Page> =>
  session.expect(201, Page, "POST", "/developer/pages", { title: "Summer fair", ...input });

/** The input of a page that uses every feature. */
export const wholePage = {
  title: "Summer fair",
  intro: "Saturday,\nfrom noon.",
  blocks: [
    { type: "text", text: "Bring friends.\n\nAnd a cake." },
    { type: "link", label: "Programme", url: "https://example.com/programme" },
    { type: "image", url: "https://example.com/fair.jpg", alt: "The stalls" },
  ],
  form: {
    fields: [
      { type: "text", name: "name", label: "Your name", required: true, multiline: false },
      { type: "text", name: "message", label: "A message", required: false, multiline: true },
      { type: "email", name: "email", label: "Email", required: false },
      { type: "phone", name: "phone", label: "Phone", required: false },
      { type: "choice", name: "cake", label: "A cake?", required: true, options: ["Yes", "No"] },
      { type: "checkbox", name: "terms", label: "I agree", required: true },
    ],
    button: "Sign up",
    thanks: "See you\nthere!",
  },
  header: { url: "https://example.com/top.jpg", alt: "" },
  colors: { background: "navy", text: "#ffffff", accent: "gold" },
  look: "card",
  scheme: "light",
  language: "pt-BR",
};

/** Creates a page and a code that shows it. */
export async function makeCodeOfPage(maker: PageMaker, input: object = {}) {
  const page = await makePage(maker, input);
  const data = { type: "servicepage", pageId: page.id } as const;
  return { page, qr: await maker.client.createQr({ qrType: "servicepage", data }) };
}

/** An element of an HTML page. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

/** Returns the elements of an HTML page in document order, parsed by HTMLRewriter. */
async function elementsOf(html: string): Promise<Element[]> {
  const elements: { tag: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof elements)[number][] = [];
  const voids = new Set(["meta", "input", "img", "br", "link", "wbr", "path", "rect"]);
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      const attributes = Object.fromEntries(
        [...element.attributes].map(([name = "", value = ""]) => [name, decode(value)] as const),
      );
      const seen = { tag: element.tagName, attributes, text: "" };
      elements.push(seen);
      if (voids.has(element.tagName)) return;
      open.push(seen);
      element.onEndTag(() => {
        open.splice(open.indexOf(seen), 1);
      });
    },
    text({ text }) {
      for (const element of open) element.text += text;
    },
  });
  await rewriter.transform(new Response(html)).text();
  return elements.map((element) => ({ ...element, text: decode(element.text) }));
}

/** The response with a hosted page. */
export class Shown {
  readonly status: number;
  readonly html: string;
  readonly elements: readonly Element[];

  private constructor(status: number, html: string, elements: readonly Element[]) {
    this.status = status;
    this.html = html;
    this.elements = elements;
  }

  static async of(response: Response): Promise<Shown> {
    const html = await response.text();
    return new Shown(response.status, html, await elementsOf(html));
  }

  all(tag: string): Element[] {
    return this.elements.filter((element) => element.tag === tag);
  }

  texts(tag: string): string[] {
    return this.all(tag).map(({ text }) => text);
  }

  /** The values that a browser would submit. */
  get entered(): URLSearchParams {
    const values = new URLSearchParams();
    for (const { tag, attributes, text } of this.elements) {
      const { name = "", type, value = "", checked } = attributes;
      if (tag === "textarea") values.set(name, text);
      if (tag !== "input" || ((type === "radio" || type === "checkbox") && checked === undefined)) continue;
      values.set(name, value);
    }
    return values;
  }

  /** The problem shown at each field, by the field's name. */
  get problems(): Record<string, string> {
    const shown = this.all("p").flatMap(({ attributes, text }) =>
      attributes.id?.startsWith("problem-") ? [[attributes.id.slice("problem-".length), text] as const] : [],
    );
    return Object.fromEntries(shown);
  }

  get alert(): string | undefined {
    return this.elements.find(({ attributes }) => attributes.role === "alert")?.text;
  }
}

/** Opens a page by scanning its code. */
export const openCode = async (service: Service, hash: string): Promise<Shown> =>
  Shown.of(await service.scan(hash));

/** How long a visitor in these tests takes to fill in a form, milliseconds. */
const fillingInTime = 5000;

/** Returns an isolate some time ago. A page that it shows has a form that has been filled in since. */
export const earlier = (service: Service, milliseconds = fillingInTime): Service =>
  new Service({ ...service.deps, now: () => service.deps.now() - milliseconds });

/** Returns the token of a page's form that was shown some time ago. */
export const formToken = (
  { deps }: Service,
  page: Pick<Page, "id">,
  milliseconds = fillingInTime,
): Promise<string> => newFormToken(deps, page.id, deps.now() - milliseconds);

/** Returns a page's form as seen by a visitor who sends it now. */
export const openForm = async (service: Service, page: Page): Promise<Shown> =>
  Shown.of(await earlier(service).fetch(`/pages/${page.id}`));

/** Submits a form like a browser. Unless the values have a token, it was opened some time ago. */
export async function sendForm(
  service: Service,
  page: Page,
  values: URLSearchParams | Record<string, string>,
  headers: Record<string, string> = {},
  cf?: Partial<IncomingRequestCfProperties>,
): Promise<Response> {
  const body = new URLSearchParams(values);
  if (!body.has("_form")) body.set("_form", await formToken(service, page));
  return service.fetch(`/pages/${page.id}`, {
    method: "POST",
    headers: { "user-agent": phone, ...headers },
    body,
    ...(cf === undefined ? {} : { cf: cf as IncomingRequestCfProperties }),
  });
}

/** Opens a page, fills in its form and submits it. */
export async function fillIn(service: Service, page: Page, values: Record<string, string>): Promise<void> {
  const shown = await openForm(service, page);
  const entered = shown.entered;
  for (const [name, value] of Object.entries(values)) entered.set(name, value);
  const response = await sendForm(service, page, entered);
  expect([response.status, response.headers.get("location")]).toEqual([303, `/pages/${page.id}/sent`]);
}
