import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { Scope } from "../../src/contract/resources/enums.ts";
import { Answer } from "../../src/mcp/tools/changes.ts";
import { Agent } from "../support/agents.ts";
import { type Client, Service } from "../support/service.ts";

/** Clients that know little of JSON Schema, or send null for nothing. */

let client: Client;
let agent: Agent;

beforeAll(async () => {
  const service = new Service();
  const { workspaceId } = await service.workspace();
  client = await service.client(workspaceId, [...Scope.options]);
  agent = await Agent.connect(client);
});

describe("the tools", () => {
  it("have inputs without what some clients refuse, down to each value, and each of a type", async () => {
    const values = (schema: object): object[] => {
      const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object };
      return [schema, ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(values)];
    };
    const listed = (await agent.mcp.listTools()).tools.flatMap(({ name, inputSchema }) =>
      values(inputSchema).map((schema): [string, object] => [name, schema]),
    );
    expect(listed.length).toBeGreaterThan(100);
    const refused = [
      "$ref",
      "$defs",
      "anyOf",
      "oneOf",
      "allOf",
      "not",
      "const",
      "additionalItems",
      "prefixItems",
    ];
    for (const [name, schema] of listed) {
      const { type } = schema as { type?: unknown };
      expect([name, schema, typeof type]).toEqual([name, schema, "string"]);
      expect([name, Object.keys(schema).filter((keyword) => refused.includes(keyword))]).toEqual([name, []]);
    }
  });

  it("list what may be null", async () => {
    const { tools: listed } = await agent.mcp.listTools();
    const changed = listed.find(({ name }) => name === "change_codes")?.inputSchema.properties;
    expect(changed).toMatchObject({
      change: {
        properties: {
          folderId: { type: "string", nullable: true },
          colorConfig: { type: "object", nullable: true, properties: { dotsColor: { nullable: true } } },
          delete: { type: "boolean" },
        },
      },
      items: {
        items: { properties: { name: { type: "string", nullable: true }, status: { type: "string" } } },
      },
    });
  });

  it("take null for a parameter that is left out", async () => {
    const qr = await client.createQr({ externalId: "null" });
    expect(await agent.ask(z.any(), "get_code", { id: null, externalId: "null" })).toMatchObject({
      id: qr.id,
    });
    const change = { addTags: ["null"] };
    const input = { ids: [qr.id], filter: null, change, items: null, token: null };
    expect((await agent.ask(Answer, "change_codes", input)).difference?.changed).toBe(1);
    expect(await agent.refusal("change_codes", { ids: null, filter: null, change })).toContain("is required");
    expect(await agent.refusal("get_code", { identifier: null })).toContain("Unknown field `identifier`");
    expect(await agent.refusal("change_codes", { ids: [qr.id], change: { status: null } })).toMatch(
      /^change/,
    );
  });
});
