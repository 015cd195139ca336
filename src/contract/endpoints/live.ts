import { LiveEvents, LiveQuery } from "../resources/scans/live.ts";
import type { Endpoint } from "./endpoint.ts";

const common = {
  method: "get",
  tag: "Scans",
  query: LiveQuery,
  status: 200,
  response: LiveEvents,
  stream: ["text/event-stream"],
  resumable: true,
} as const;
const ofWorkspace = {
  summary: "Watch the workspace's scans live, as server-sent events",
  errors: [],
} as const;
const ofCode = {
  summary: "Watch the scans of a QR code live, as server-sent events",
  errors: [404],
} as const;
const byKey = { auth: "key", scope: "scans:read" } as const;
const bySession = { auth: "session", permission: "codes.read" } as const;

/** Live scans, for API keys and for web pages of signed-in people. */
export const liveEndpoints = {
  watchScans: { ...common, ...ofWorkspace, ...byKey, path: "/scans/live" },
  watchQrScans: { ...common, ...ofCode, ...byKey, path: "/qr/{id}/scans/live" },
  watchOwnScans: { ...common, ...ofWorkspace, ...bySession, path: "/developer/scans/live" },
  watchOwnQrScans: { ...common, ...ofCode, ...bySession, path: "/developer/qr/{id}/scans/live" },
} as const satisfies Record<string, Endpoint>;
