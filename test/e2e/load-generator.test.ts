import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { generate, type LoadRequest } from "../../bench/load/generator.ts";

/** A server for one test. @returns its origin */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = (path: string): LoadRequest => ({ method: "GET", path });

describe("the load generator", () => {
  it("counts every answer once, however it is framed", async () => {
    const received: string[] = [];
    const origin = await serve((request, response) => {
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
    const answers: string[] = [];
    const result = await generate({ origin, requests, connections: 3, amount: 40 }, (index, status) => {
      answers.push(`${requests[index]?.method} ${requests[index]?.path} ${status}`);
    });
    expect(result).toMatchObject({ answers: 40, statuses: { 200: 30, 302: 10 } });
    expect(received).toHaveLength(40);
    expect(Object.groupBy(answers, (answer) => answer)).toMatchObject({
      "GET /chunked 200": { length: 10 },
      "GET /large 200": { length: 10 },
      "HEAD /large 200": { length: 10 },
      "GET /redirect 302": { length: 10 },
    });
  });

  it("sends headers and bodies", async () => {
    const bodies: string[] = [];
    const origin = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      bodies.push(`${request.headers["x-name"]}: ${body}`);
      response.writeHead(201).end("{}");
    });
    const request = { method: "POST", path: "/", headers: { "x-name": "a" }, body: "ä body" } as const;
    const result = await generate({ origin, requests: [request], connections: 1, amount: 2 });
    expect(result.statuses).toEqual({ 201: 2 });
    expect(bodies).toEqual(["a: ä body", "a: ä body"]);
  });

  it("fails when a connection ends before its answer", async () => {
    const origin = await serve((request) => request.socket.destroy());
    const load = generate({ origin, requests: [get("/")], connections: 2, amount: 2 });
    await expect(load).rejects.toThrow();
  });
});
