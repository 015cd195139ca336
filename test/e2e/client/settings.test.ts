import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  connected,
  readSettings,
  settingsFile,
  storeSettings,
} from "../../../clients/typescript/src/cli/settings.ts";

const settings = { url: "https://qr.example.com", key: "sk_live_x" };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settings-"));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  vi.stubEnv("QR_URL", "");
  vi.stubEnv("QR_KEY", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("the command line's settings are readable for their owner alone, also where others could read them", async () => {
  const mode = () => statSync(settingsFile()).mode & 0o777;
  await storeSettings(settings);
  expect(mode()).toBe(0o600);
  chmodSync(settingsFile(), 0o644);
  expect([await readSettings(), mode()]).toEqual([settings, 0o600]);
  writeFileSync(settingsFile(), "");
  chmodSync(settingsFile(), 0o666);
  await storeSettings(settings);
  expect([await readSettings(), mode()]).toEqual([settings, 0o600]);
});

it.each([
  "http://qr.example.com",
  "http://10.0.0.7:8787",
  "HTTP://qr.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://localhost@qr.example.com",
])("the command line sends no key to %s", (url) => {
  expect(() => connected({ ...settings, url })).toThrow(/plain text|must be the address/);
});

it.each([
  "https://qr.example.com",
  "http://localhost:8787",
  "http://app.localhost:8787",
  "http://127.0.0.1:8787/api/v1",
  "http://[::1]:8787",
])("the command line connects to %s", (url) => {
  expect(() => connected({ ...settings, url })).not.toThrow();
});
