import { beforeAll, expect, it } from "vitest";
import { type Document, operationsOf } from "../../../src/api/docs/document.ts";
import { curl } from "../../../src/api/docs/example.ts";
import { method, namesSomethingElse, somePath, TestCallers, table } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";

/** The commands on the reference page can be pasted, so the service must accept their bodies. */
const service = new Service();
let callers: TestCallers;
let document: Document;

beforeAll(async () => {
  callers = await TestCallers.of(service);
  document = await (await service.fetch("/api/v1/openapi.json")).json();
});

/** The body that a command sends. */
function bodyOf(command: string): { type: string; text: string } {
  const [, type = ""] = /-H "Content-Type: ([^"]+)"/.exec(command) ?? [];
  const [, quoted = ""] = /--data-binary '(.*)'$/s.exec(command) ?? [];
  return { type, text: quoted.replaceAll(String.raw`'\''`, "'") };
}

const withBody = table.filter(
  ({ name, body, upload }) => (body ?? upload) !== undefined && !namesSomethingElse.includes(name),
);

it.each(withBody)("the example of $name is accepted unchanged", async (endpoint) => {
  const operation = operationsOf(document, endpoint.tag).find(({ id }) => id === endpoint.name);
  expect(operation).toBeDefined();
  if (operation === undefined) return;
  const { type, text } = bodyOf(curl(document, operation));
  const response = await callers
    .clientOf(endpoint)
    .send(method(endpoint), somePath(endpoint), text, { "content-type": type });
  const answer = { status: response.status, answer: await response.json() };
  // The example's ids do not exist, but an invalid body would have been refused before that was found.
  const hasIds = endpoint.path.includes("{") || text.includes('"ids"');
  const statuses = [endpoint.status, ...(hasIds ? [404] : []), ...(endpoint.creates ? [201] : [])];
  expect(answer).toEqual({
    ...answer,
    status: expect.toSatisfy((status: number) => statuses.includes(status)),
  });
});
