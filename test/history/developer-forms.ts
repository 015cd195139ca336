import { Replay } from "../../src/contract/resources/webhooks/replays.ts";
import { button, type Case, edit, filled, none, type World } from "./forms.ts";

const skipped = async (w: World) => {
  const { webhookId, deliveryId } = await w.skippedDelivery();
  return { id: webhookId, deliveryId };
};
/** Sets an address for alerts. @param path of a form about it */
const alerted = (path: string) => async (w: World) => {
  await w.owner.send("PUT", "/developer/alerts", { url: "https://hooks.example/alerts" });
  return { path };
};

/** The forms of keys, webhooks and alerts. */
export const developerForms: Readonly<Record<string, Case>> = {
  "/developer/keys/new": {
    expected: ["key.created"],
    form: (w) => filled(w, "/developer/keys/new", { name: "Server", type: "secret", scopes: "qr:read" }),
  },
  "/developer/keys/:id/rotate": {
    expected: ["key.created", "key.rotated"],
    form: edit("/developer/keys", (w) => w.key(), "rotate"),
  },
  "/developer/keys/:id/domains": {
    expected: ["key.updated"],
    form: edit("/developer/keys", (w) => w.publishableKey(), "domains", { usesDomains: "on" }),
  },
  "/developer/keys/:id/revoke": {
    expected: ["key.revoked"],
    form: button("/developer/keys", (w) => w.key(), "revoke"),
  },
  "/developer/alerts": {
    expected: ["workspace.updated"],
    form: (w) => filled(w, "/developer/alerts", { url: "https://hooks.example/alerts" }),
  },
  "/developer/alerts/test": { expected: none.deliveries, form: alerted("/developer/alerts/test") },
  "/developer/alerts/rotate": {
    expected: ["workspace.updated"],
    form: async (w) => {
      await alerted("")(w);
      return filled(w, "/developer/alerts/rotate", {});
    },
  },
  "/developer/alerts/remove": {
    expected: ["workspace.updated"],
    form: alerted("/developer/alerts/remove"),
  },
  "/developer/webhooks/new": {
    expected: ["webhook.created"],
    form: (w) =>
      filled(w, "/developer/webhooks/new", { url: "https://hooks.example/qr", events: "qr.created" }),
  },
  "/developer/webhooks/:id/edit": {
    expected: ["webhook.updated"],
    form: edit("/developer/webhooks", (w) => w.webhook(), "edit", { url: "https://example.com/other" }),
  },
  "/developer/webhooks/:id/pause": {
    expected: ["webhook.updated"],
    form: button("/developer/webhooks", (w) => w.webhook(), "pause"),
  },
  "/developer/webhooks/:id/resume": {
    expected: ["webhook.updated"],
    form: async (w) => {
      const { id } = await w.webhook();
      await w.owner.send("PATCH", `/developer/webhooks/${id}`, { status: "paused" });
      return { path: `/developer/webhooks/${id}/resume` };
    },
  },
  "/developer/webhooks/:id/test": {
    expected: none.deliveries,
    form: button("/developer/webhooks", (w) => w.webhook(), "test"),
  },
  "/developer/webhooks/:id/rotate": {
    expected: ["webhook.rotated"],
    form: edit("/developer/webhooks", (w) => w.webhook(), "rotate"),
  },
  "/developer/webhooks/:id/delete": {
    expected: ["webhook.deleted"],
    form: button("/developer/webhooks", (w) => w.webhook(), "delete"),
  },
  "/developer/webhooks/:id/deliveries/:delivery/replay": {
    expected: none.deliveries,
    form: async (w) => {
      const { id, deliveryId } = await skipped(w);
      return { path: `/developer/webhooks/${id}/deliveries/${deliveryId}/replay` };
    },
  },
  "/developer/webhooks/:id/replay": {
    expected: none.deliveries,
    form: async (w) => {
      const since = new Date(w.service.deps.now() - 3_600_000).toISOString();
      const { id } = await skipped(w);
      return { path: `/developer/webhooks/${id}/replay`, fields: { since, includeSkipped: "on" } };
    },
  },
  "/developer/webhooks/:id/replay/stop": {
    expected: none.deliveries,
    form: async (w) => {
      const { id } = await skipped(w);
      const since = new Date(w.service.deps.now() - 3_600_000).toISOString();
      await w.owner.expect(202, Replay, "POST", `/developer/webhooks/${id}/replays`, { since });
      return { path: `/developer/webhooks/${id}/replay/stop` };
    },
  },
};
