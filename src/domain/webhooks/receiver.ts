import { requiresHttps } from "../../lib/web/https.ts";
import { type PublicUrl, readPublicUrl } from "../../lib/web/public-url.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { Deps } from "../deps.ts";

/** Reads the URL of a receiver, which must be public and not on this service. */
export const readReceiver = ({ settings }: Deps, input: string): PublicUrl =>
  readPublicUrl(input, {
    maxLength: webhookRules.maxUrlLength,
    ownHosts: settings.ownHosts,
    // Only local development is served over plain http.
    loopback: !requiresHttps(settings.scanOrigin),
  });
