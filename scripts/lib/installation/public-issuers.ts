/** Identity providers where anybody can get an account and sign in: hosts, some with paths. */
const publicIssuers = [
  "accounts.google.com",
  "login.microsoftonline.com/common",
  "login.microsoftonline.com/organizations",
  "login.microsoftonline.com/consumers",
  // The tenant of personal Microsoft accounts.
  "login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad",
  "login.live.com",
  "appleid.apple.com",
  "account.apple.com",
  "gitlab.com",
  "facebook.com",
  "limited.facebook.com",
  "www.linkedin.com",
  "slack.com",
  "discord.com",
  "id.twitch.tv",
  "api.login.yahoo.com",
  "access.line.me",
  "kauth.kakao.com",
  "www.paypal.com",
  "auth.atlassian.com",
  "login.salesforce.com",
  "account.dropbox.com",
  "www.dropbox.com",
  // Every repository on GitHub can have tokens issued there, for any audience.
  "token.actions.githubusercontent.com",
];

/** Returns whether an issuer is known to let everybody in. */
export function isPublicIssuer(issuer: string | undefined): boolean {
  if (issuer === undefined || !URL.canParse(issuer)) return false;
  const { hostname, pathname } = new URL(issuer);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  const [tenant = ""] = pathname.toLowerCase().split("/").filter(Boolean);
  const names = [host, host.replace(/^www\./, ""), `${host}/${tenant}`];
  return names.some((name) => publicIssuers.includes(name));
}
