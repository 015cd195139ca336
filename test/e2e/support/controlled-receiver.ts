import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A receiver that answers as it is told. */
export async function startReceiver() {
  const received: string[] = [];
  const state = { status: 200 };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (state.status === 200) received.push(body);
    response.writeHead(state.status).end(state.status === 200 ? "thanks" : "closed for good");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { received, state, url, close: () => server.close() };
}
