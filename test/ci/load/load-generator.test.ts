import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { generate, type LoadRequest } from "../../../bench/load/generator.ts";

/** Starts a server that runs until the test ends. @returns its origin */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = (path: string): LoadRequest => ({ method: "GET", path });

describe("the load generator", () => {
  it("counts every response once, with and without content-length", async () => {
    const received: string[] = [];
    const origin = await startServer((request, response) => {
      received.push(`${request.method} ${request.url}`);
      if (request.url === "/chunked") {
        response.write("part 1, ");
        setImmediate(() => response.end("part 2"));
      } else if (request.url === "/large") response.end("x".repeat(200_000));
      else response.writeHead(302, { location: "/", "content-length": "0" }).end();
    });
    const requests = [
      get("/chunked"),
      get("/large"),
      get("/redirect"),
      { ...get("/large"), method: "HEAD" },
    ] as const;
    const responses: string[] = [];
    const result = await generate({ origin, requests, connections: 3, requestCount: 40 }, (index, status) => {
      responses.push(`${requests[index]?.method} ${requests[index]?.path} ${status}`);
    });
    expect(result).toMatchObject({ responses: 40, statuses: { 200: 30, 302: 10 } });
    expect(received).toHaveLength(40);
    expect(Object.groupBy(responses, (response) => response)).toMatchObject({
      "GET /chunked 200": { length: 10 },
      "GET /large 200": { length: 10 },
      "HEAD /large 200": { length: 10 },
      "GET /redirect 302": { length: 10 },
    });
  });

  it("sends headers and UTF-8 bodies", async () => {
    const bodies: string[] = [];
    const origin = await startServer(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      bodies.push(`${request.headers["x-name"]}: ${body}`);
      response.writeHead(201).end("{}");
    });
    const request = { method: "POST", path: "/", headers: { "x-name": "a" }, body: "ä body" } as const;
    const result = await generate({ origin, requests: [request], connections: 1, requestCount: 2 });
    expect(result.statuses).toEqual({ 201: 2 });
    expect(bodies).toEqual(["a: ä body", "a: ä body"]);
  });

  it("fails when a connection closes before the response", async () => {
    const origin = await startServer((request) => request.socket.destroy());
    const run = generate({ origin, requests: [get("/")], connections: 2, requestCount: 2 });
    await expect(run).rejects.toThrow();
  });
});
