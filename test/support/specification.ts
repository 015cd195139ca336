/**
 * The literal texts and constants of the interface's specification, written out here so that the code can't change them
 * unnoticed. Tests compare the service with this list, never the other way round.
 */
export const specification = {
  basePath: "/api/v1",
  secretKeyPrefix: "sk_live_",
  enums: {
    QrType: [
      ...["url", "applink", "vcard", "sms", "whatsapp", "email", "location", "telegram"],
      "servicepage",
    ],
    QrStatus: ["active", "paused"],
    Shape: ["square", "circle"],
    BulkJobStatus: ["queued", "processing", "completed", "failed"],
    BulkItemStatus: ["pending", "succeeded", "failed"],
    ErrorCode: [
      ...["invalid_input", "plan_limit", "rate_limited", "unauthorized", "forbidden", "not_found"],
      "internal",
    ],
    ExportFormat: ["csv", "ndjson"],
    DeliveryMode: ["realtime", "batched_5m"],
    EventKind: [
      ...["qr.created", "qr.updated", "qr.deleted", "qr.scanned", "bulk.completed", "subscription.updated"],
      "page.submitted",
    ],
  },
  /** The status of the response to each request. */
  endpoints: {
    "get /qr": 200,
    "post /qr": 201,
    "get /qr/{id}": 200,
    "patch /qr/{id}": 200,
    "delete /qr/{id}": 200,
    "get /qr/{id}/scans": 200,
    "get /scans/export": 200,
    "post /qr/bulk": 202,
    "get /qr/bulk/{jobId}": 200,
    "get /qr/bulk/{jobId}/download": 200,
    "get /folders": 200,
    "post /folders": 201,
  },
  replayPath: "/developer/webhooks/{id}/deliveries/{deliveryId}/replay",
  /** The error's code and status. */
  statuses: { unauthorized: 401, plan_limit: 402, forbidden: 403, not_found: 404, rate_limited: 429 },
  rateLimit: {
    status: 429,
    body: { error: "Rate limit exceeded", code: "rate_limited" },
    headers: ["x-ratelimit-limit", "x-ratelimit-remaining"],
    requestsPerMinute: { starter: 60, pro: 120, business: 600 },
    bulkRows: { starter: 100, pro: 1000, business: 10_000 },
  },
  deleted: { success: true },
  exportTypes: { csv: "text/csv", ndjson: "application/x-ndjson" },
  bulkDownload: { type: "text/csv", header: "row,status,qr_id,scan_url,error" },
  fields: {
    Qr: ["id", "hash", "qrType", "name", "folderId", "tags", "status", "scanUrl", "createdAt", "updatedAt"],
    QrList: ["items", "nextCursor"],
    ScanEvent: ["id", "qrId", "scannedAt", "country", "city", "device", "os", "userAgent"],
    ScanListResponse: ["stats", "events"],
    BulkJob: ["jobId", "status", "totalItems", "successCount", "failureCount", "createdAt", "completedAt"],
    BulkItem: ["rowIndex", "status", "createdQrId", "createdQrHash", "error"],
    Folder: ["id", "name", "createdAt"],
  },
  limits: {
    qrList: { default: 25, max: 100 },
    scanList: { default: 50, max: 500 },
    bulkItems: 10_000,
    name: 200,
  },
  delivery: {
    headers: ["X-Service-Event", "X-Service-Delivery", "X-Service-Signature"],
    contentType: "application/json",
    signature: /^t=\d+,v1=[0-9a-f]{64}$/,
    body: ["event", "deliveryId", "createdAt", "data"],
    scanned: ["qrId", "hash", "scannedAt", "country", "city", "device", "os"],
    timeoutSeconds: 10,
    batchSeconds: 300,
    /** Seconds after the first attempt: 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 24 h. */
    retries: [30, 120, 600, 1800, 7200, 21_600, 86_400],
  },
} as const;
