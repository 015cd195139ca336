import { expect, it } from "vitest";
import { decryptClaims, decryptText, encryptClaims, encryptText } from "../../src/lib/crypto/encryption.ts";

const now = Date.UTC(2026, 0, 1);

it("text can be decrypted with its secret only, and two encryptions of it differ", async () => {
  const one = await encryptText("secret", "whsec_ü🍕");
  expect(await decryptText("secret", one)).toBe("whsec_ü🍕");
  expect(await encryptText("secret", "whsec_ü🍕")).not.toBe(one);
  await expect(decryptText("other", one)).rejects.toThrow();
  const parts = one.split(".");
  for (const [i, part] of parts.entries()) {
    const tampered = parts.with(i, part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`);
    await expect(decryptText("secret", tampered.join("."))).rejects.toThrow();
  }
});

it("claims can be decrypted with their secret, for their audience and until they expire", async () => {
  const token = await encryptClaims("secret", "session", { sub: "ada" }, now, now + 60_000);
  expect(token).not.toContain("ada");
  expect(await decryptClaims("secret", "session", token, now)).toMatchObject({ sub: "ada", aud: "session" });
  expect(await decryptClaims("other", "session", token, now)).toBeNull();
  expect(await decryptClaims("secret", "sign-in", token, now)).toBeNull();
  expect(await decryptClaims("secret", "session", token, now + 60_000)).toBeNull();
  // Text encrypted with the same secret is not a set of claims.
  expect(await decryptClaims("secret", "session", await encryptText("secret", "{}"), now)).toBeNull();
});
