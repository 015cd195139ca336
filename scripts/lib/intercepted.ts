/**
 * Says that Cloudflare answered a request by itself, as the settings of the zone have it, before the service could.
 * @returns undefined if it is the service's answer
 */
export function interceptedBy({ headers }: Response): string | undefined {
  if (headers.get("cf-mitigated") !== null) {
    return "Cloudflare challenges this request before it reaches the service, by Bot Fight Mode, a security rule or Under Attack mode";
  }
  const location = headers.get("location") ?? "";
  if (!URL.canParse(location) || !new URL(location).host.endsWith(".cloudflareaccess.com")) return undefined;
  return "Cloudflare Access asks for a sign-in before this request reaches the service";
}
