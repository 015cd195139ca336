import { expect } from "vitest";
import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import { QrType } from "../../src/contract/resources/enums.ts";

const pageId = "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71";

/** Valid data of each type. */
export const validData: { [Type in QrType]: Extract<QrData, { type: Type }> } = {
  url: { type: "url", url: "https://example.com/" },
  applink: { type: "applink", ios: "a.example", android: "b.example", fallback: "c.example" },
  vcard: { type: "vcard", firstName: "Ada", phones: ["+49 30 901820"] },
  sms: { type: "sms", phone: "+49 30 901820", message: "Hi" },
  whatsapp: { type: "whatsapp", phone: "+49 30 901820", message: "Hi" },
  email: { type: "email", to: "ada@example.com", subject: "Hi" },
  location: { type: "location", latitude: 52.5, longitude: 13.4, label: "Here" },
  telegram: { type: "telegram", username: "durov" },
  servicepage: { type: "servicepage", pageId },
};
/** Types whose data in `validData` can be created without a hosted page. */
export const creatable = QrType.options.filter((type) => type !== "servicepage");

/** Expects a 400 with a matching error. */
export async function expectRefused(response: Response, error: RegExp): Promise<void> {
  const json = await response.json();
  expect({ status: response.status, json }).toEqual({
    status: 400,
    json: { code: "invalid_input", error: expect.stringMatching(error) },
  });
}
