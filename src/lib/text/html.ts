import { escapeToBuffer } from "hono/utils/html";

/** Escapes text for an element or a quoted attribute, in pages written as plain strings; JSX escapes by itself. */
export function escapeHtml(text: string): string {
  const buffer: [string] = [""];
  escapeToBuffer(text, buffer);
  return buffer[0];
}
