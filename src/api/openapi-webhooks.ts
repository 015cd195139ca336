import type { createDocument, ZodOpenApiPathsObject } from "zod-openapi";
import { deliveryPayloads } from "../contract/resources/events.ts";

type Document = ReturnType<typeof createDocument>;

/** Not a path of the API. It is there while the document is built. */
const path = "/deliveries";

/**
 * The bodies of deliveries in the place of a response: they have the fields of the API's responses, while a document's
 * webhooks would have those of its requests.
 */
export const deliveryPath: ZodOpenApiPathsObject = {
  [path]: {
    get: {
      responses: {
        200: {
          description: "",
          content: Object.fromEntries(
            Object.entries(deliveryPayloads).map(([kind, schema]) => [kind, { schema }]),
          ),
        },
      },
    },
  },
};

/** A document that was built with `deliveryPath`, with the deliveries as its webhooks instead. */
export function withWebhooks(document: Document): Document {
  const { [path]: deliveries, ...paths } = document.paths ?? {};
  const response = deliveries?.get?.responses?.[200];
  const content = response !== undefined && "content" in response ? response.content : {};
  const webhooks = Object.entries(content ?? {}).map(([kind, body]) => [
    kind,
    {
      post: {
        operationId: `receive${deliveryPayloads[kind]?.meta()?.id}`,
        summary: kind === "batch" ? "Events of five minutes, in the mode `batched_5m`" : `The event ${kind}`,
        security: [],
        requestBody: { required: true, content: { "application/json": body } },
        responses: { "2XX": { description: "Received. Every other response is a failure" } },
      },
    },
  ]);
  return { ...document, paths, webhooks: Object.fromEntries(webhooks) };
}
