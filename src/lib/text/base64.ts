/** How many bytes become characters at once: a call takes only so many arguments. */
const portion = 0x8000;

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let from = 0; from < bytes.length; from += portion) {
    binary += String.fromCharCode(...bytes.subarray(from, from + portion));
  }
  return btoa(binary);
}

/** The bytes of a text in base64, or null for what is none: without padding, or with anything between. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const binary = atob(text);
  return Uint8Array.from({ length: binary.length }, (_, i) => binary.charCodeAt(i));
}
