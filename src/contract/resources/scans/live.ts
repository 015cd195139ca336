import * as z from "zod";
import { shownAs } from "../../openapi-metadata.ts";

const scanNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, "must be the id of an event, a whole number")
  .transform(Number);

export const LiveQuery = z.object({
  after: scanNumber.optional().meta({
    description:
      "Resume after the event with this `id`. The header `Last-Event-ID`, which browsers send when they reconnect, takes precedence",
    ...shownAs({ type: "integer", minimum: 0 }),
  }),
});
export type LiveQuery = z.output<typeof LiveQuery>;

/** The headers by which a client resumes. */
export const LiveHeaders = z.object({
  "Last-Event-ID": scanNumber.optional().meta({
    description: "The `id` of the last event received",
  }),
});

export const LiveEvents = z.string().meta({
  description: [
    "A stream of server-sent events that ends after an hour at most; then reconnect.",
    "`ready` is the first event: `{latest}`, the number of the workspace's scans so far.",
    "`scan` is one human scan, as a `ScanEvent`.",
    "`skipped` stands for scans that aren't sent individually: `{scans}` is their number, or an upper bound if the stream is limited to one code.",
    "An event's `id` is the number of the scan, counted per workspace in the order they were recorded.",
  ].join(" "),
  example: 'id: 42\nevent: scan\ndata: {"id":"…","qrId":"…","scannedAt":"…","country":"DE",…}\n\n',
});
