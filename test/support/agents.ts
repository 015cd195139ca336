import {
  type CallToolResult,
  Client as McpClient,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect } from "vitest";
import type * as z from "zod";
import { Answer } from "../../src/mcp/tools/changes.ts";
import type { Client } from "./service.ts";

/** An agent that works with the key of a client of the API. */
export class Agent {
  readonly mcp: McpClient;

  private constructor(mcp: McpClient) {
    this.mcp = mcp;
  }

  /** @param mode `legacy` for the protocol of 2025 */
  static async connect(client: Client, mode: "auto" | "legacy" = "auto"): Promise<Agent> {
    const { service, key } = client;
    const mcp = new McpClient({ name: "Desk Helper", version: "2.0" }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", service.deps.settings.appOrigin), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: (url, init) => service.fetch(String(url), init as RequestInit<IncomingRequestCfProperties>),
    });
    await mcp.connect(transport);
    return new Agent(mcp);
  }

  /** Calls a tool. Its result may be an error. */
  async call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.mcp.callTool({ name, arguments: input })) as CallToolResult;
  }

  /** Calls a tool and parses what it answers. */
  async ask<Schema extends z.ZodType>(schema: Schema, name: string, input: Record<string, unknown> = {}) {
    const result = await this.call(name, input);
    expect({ name, isError: result.isError ?? false, text: textOf(result) }).toMatchObject({
      isError: false,
    });
    return schema.parse(result.structuredContent);
  }

  /** Calls a tool that is to fail. @returns the message */
  async refusal(name: string, input: Record<string, unknown> = {}): Promise<string> {
    const result = await this.call(name, input);
    expect(result.isError).toBe(true);
    return textOf(result);
  }

  /** Makes a change: its dry run, then the change itself. */
  async change(name: string, input: Record<string, unknown>): Promise<z.output<typeof Answer>> {
    const { token } = await this.ask(Answer, name, input);
    return this.ask(Answer, name, { token });
  }

  async toolNames(): Promise<string[]> {
    return (await this.mcp.listTools()).tools.map(({ name }) => name);
  }
}

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
