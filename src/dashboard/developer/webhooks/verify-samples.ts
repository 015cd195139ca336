import type { Sample } from "../sample.ts";

const javascript = `import { createHmac, timingSafeEqual } from "node:crypto";

/** Returns whether the body was signed with the secret in the last five minutes. */
export function isGenuine(secret, header, body) {
  const parts = header.split(",").map((part) => part.split("="));
  const time = parts.find(([name]) => name === "t")?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac("sha256", secret).update(\`\${time}.\`).update(body).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === "v1" ? value : "", "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

const python = `import hashlib
import hmac
import time


def is_genuine(secret: str, header: str, body: bytes) -> bool:
    """Whether the body was signed with the secret in the last five minutes."""
    parts = [part.partition("=") for part in header.split(",")]
    signed_at = next((value for name, _, value in parts if name == "t"), "")
    if not signed_at.isdecimal() or abs(time.time() - int(signed_at)) > 300:
        return False
    message = signed_at.encode() + b"." + body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    return any(
        hmac.compare_digest(expected.encode(), value.encode())
        for name, _, value in parts
        if name == "v1"
    )`;

/** Functions that verify a delivery's signature. */
export const verifySamples: readonly Sample[] = [
  { language: "JavaScript", text: javascript },
  { language: "Python", text: python },
];
