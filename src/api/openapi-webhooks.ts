import type { createDocument, ZodOpenApiPathsObject } from "zod-openapi";
import { deliveryPayloads } from "../contract/resources/webhooks/events.ts";

type Document = ReturnType<typeof createDocument>;

/** Not a path of the API. Exists only while the document is built. */
const path = "/deliveries";

/**
 * Deliveries' bodies, described as a response: their fields are those of API responses, while a document's webhooks
 * would get the fields of requests.
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

/** Moves the deliveries of a document built with `deliveryPath` to its webhooks. */
export function withWebhooks(document: Document): Document {
  const { [path]: deliveries, ...paths } = document.paths ?? {};
  const response = deliveries?.get?.responses?.[200];
  const content = response !== undefined && "content" in response ? response.content : {};
  const webhooks = Object.entries(content ?? {}).map(([kind, body]) => [
    kind,
    {
      post: {
        operationId: `receive${deliveryPayloads[kind]?.meta()?.id}`,
        summary:
          kind === "batch"
            ? "A batch of up to five minutes of events, in the mode `batched_5m`"
            : `The event ${kind}`,
        security: [],
        requestBody: { required: true, content: { "application/json": body } },
        responses: { "2XX": { description: "Received. Any other response counts as a failure" } },
      },
    },
  ]);
  return { ...document, paths, webhooks: Object.fromEntries(webhooks) };
}
