const encoder = new TextEncoder();

/** Returns the bytes of a text in UTF-8. */
export const textBytes = (text: string): number => encoder.encode(text).length;

/** Returns the bytes of an SQL value. D1 returns a BLOB as an array of its bytes. */
export function sqlBytes(value: unknown): number {
  if (typeof value === "string") return textBytes(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return value === null ? 0 : 8;
}

/** Returns the approximate bytes of a value as serialized by V8: two bytes per character in texts beyond Latin-1. */
export function clonedBytes(value: unknown): number {
  if (typeof value === "string") return 4 + value.length * (/[^\0-\xff]/.test(value) ? 2 : 1);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return 4 + value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + clonedBytes(item), 8);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).reduce((sum, [key, item]) => sum + clonedBytes(key) + clonedBytes(item), 8);
  }
  return 8;
}

/** Returns the bytes of a queue message's body in its content type. */
export function messageBytes(body: unknown, contentType: QueueContentType = "json"): number {
  if (contentType === "json") return textBytes(JSON.stringify(body) ?? "");
  return contentType === "text" ? textBytes(String(body)) : clonedBytes(body);
}
