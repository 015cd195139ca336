import { z } from "zod";

export const QrType = z.enum([
  "url",
  "applink",
  "vcard",
  "sms",
  "whatsapp",
  "email",
  "location",
  "telegram",
  "servicepage",
]);
export type QrType = z.output<typeof QrType>;

export const QrStatus = z.enum(["active", "paused"]);
export type QrStatus = z.output<typeof QrStatus>;

export const Shape = z.enum(["square", "circle"]);
export type Shape = z.output<typeof Shape>;

/** `qr:write` implies `qr:read`. */
export const Scope = z.enum(["qr:read", "qr:write", "scans:read"]);
export type Scope = z.output<typeof Scope>;

export const KeyType = z.enum(["secret", "publishable"]);
export type KeyType = z.output<typeof KeyType>;
