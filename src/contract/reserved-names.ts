/** First path segments that no code can have: those in use, and some that the service may need. */
export const reservedNames = [
  // In use.
  "api",
  "assets",
  "dashboard",
  "embed",
  "embed.js",
  "favicon",
  "favicon.ico",
  "favicon.svg",
  "healthz",
  "mcp",
  "llms.txt",
  "operator",
  "pages",
  "report",
  "shared",
  // Browsers request these from every host. They must not count as scans of unknown codes.
  "apple-touch-icon",
  "apple-touch-icon.png",
  "apple-touch-icon-precomposed",
  "apple-touch-icon-precomposed.png",
  // For future use.
  "about",
  "abuse",
  "account",
  "admin",
  "assign",
  "auth",
  "contact",
  "docs",
  "files",
  "help",
  "invite",
  "join",
  "legal",
  "login",
  "logout",
  "oauth",
  "preview",
  "privacy",
  "public",
  "scan",
  "scans",
  "security",
  "settings",
  "setup",
  "share",
  "sign-in",
  "sign-out",
  "sign-up",
  "signin",
  "signout",
  "signup",
  "static",
  "status",
  "support",
  "terms",
  "webhooks",
] as const;

export type ReservedName = (typeof reservedNames)[number];

const all: ReadonlySet<string> = new Set(reservedNames);

/** Returns whether a path's first segment is reserved. */
export const isReservedName = (segment: string): boolean => all.has(segment);
