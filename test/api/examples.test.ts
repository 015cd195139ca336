import { beforeAll, expect, it } from "vitest";
import { type Document, operationsOf } from "../../src/api/docs/document.ts";
import { curl } from "../../src/api/docs/example.ts";
import { TestCallers, method, somePath, table } from "../support/endpoints.ts";
import { Service } from "../support/service.ts";

/** The commands of the reference page are there to be pasted: what they send must be taken. */
const service = new Service();
let everybody: TestCallers;
let document: Document;

beforeAll(async () => {
  everybody = await TestCallers.of(service);
  document = await (await service.fetch("/api/v1/openapi.json")).json();
});

/** What a command sends. */
function bodyOf(command: string): { type: string; text: string } {
  const [, type = ""] = /-H "Content-Type: ([^"]+)"/.exec(command) ?? [];
  const [, quoted = ""] = /--data-binary '(.*)'$/s.exec(command) ?? [];
  return { type, text: quoted.replaceAll(String.raw`'\''`, "'") };
}

const withBody = table.filter(({ body, upload }) => (body ?? upload) !== undefined);

it.each(withBody)("the example of $name is taken as it stands", async (endpoint) => {
  const operation = operationsOf(document, endpoint.tag).find(({ id }) => id === endpoint.name);
  expect(operation).toBeDefined();
  if (operation === undefined) return;
  const { type, text } = bodyOf(curl(document, operation));
  const response = await everybody
    .clientOf(endpoint)
    .send(method(endpoint), somePath(endpoint), text, { "content-type": type });
  const answer = { status: response.status, answer: await response.json() };
  // There is nothing of the id that is asked for; a body that is not right would have been refused before.
  const statuses = endpoint.path.includes("{") ? [endpoint.status, 404] : [endpoint.status];
  expect(answer).toEqual({
    ...answer,
    status: expect.toSatisfy((status: number) => statuses.includes(status)),
  });
});
