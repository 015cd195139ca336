/** Encodes a text as UTF-16, little-endian. Begin it with a byte order mark, so that programs recognise it. */
export function utf16(text: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), true);
  return new Uint8Array(view.buffer);
}
