/** First segments of paths that no code can have: those of this service, and some that it may need. */
export const reservedNames = [
  // In use.
  "api",
  "dashboard",
  "embed",
  "embed.js",
  "favicon",
  "favicon.ico",
  "favicon.svg",
  "pages",
  "report",
  "shared",
  // Browsers ask every host for these, which must not count as scans of unknown codes.
  "apple-touch-icon",
  "apple-touch-icon.png",
  "apple-touch-icon-precomposed",
  "apple-touch-icon-precomposed.png",
  // Kept for later.
  "about",
  "abuse",
  "account",
  "admin",
  "assets",
  "assign",
  "auth",
  "contact",
  "docs",
  "files",
  "healthz",
  "help",
  "invite",
  "join",
  "legal",
  "login",
  "logout",
  "oauth",
  "operator",
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

/** Whether a path's first segment is a name of this service. */
export const isReservedName = (segment: string): boolean => all.has(segment);
