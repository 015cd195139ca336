import { baseRules, mark, serviceColors } from "../../lib/web/service-style.ts";

/** The pages' only stylesheet. The policy below allows it by its hash; a test checks that they match. */
const style = `${serviceColors}
${baseRules}
main { display: flex; flex-direction: column; min-height: 100vh; max-width: 30rem; margin: 0 auto; padding: 12vh 1.5rem 1.5rem; text-align: center }
.mark { align-self: center; flex: none; margin: 0 0 1.25rem; color: var(--accent) }
dl, blockquote { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--hover); text-align: start }
dt { color: var(--quiet); font-size: .875rem }
dd { margin: 0 0 .25rem }
blockquote { white-space: pre-wrap }
.button { margin-top: .5rem }
.report { margin: auto 0 0; padding-top: 3rem; font-size: .875rem }
.report a { display: inline-block; padding: .75rem; color: inherit }`;

const styleHash = "'sha256-rWoUZ5ybph0X8XNXJRliRpbd7L+91L/IM3Q5nljrbJ8='";

/** The only image that the policy allows is the site's icon. */
const policy = (styles: string): string =>
  `default-src 'none'; style-src ${styles}; img-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every page. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": policy(styleHash),
  "x-content-type-options": "nosniff",
};

/** The headers of a page with further styles. @param hash of them, as the policy names it */
export const headersWith = (hash: string) => ({
  ...pageHeaders,
  "content-security-policy": policy(`${styleHash} ${hash}`),
});

interface PageParts {
  readonly title: string;
  /** HTML of the content. */
  readonly main: string;
  /** More HTML for the head. */
  readonly head?: string;
  /** The page's language and its direction; English if omitted. */
  readonly language?: { readonly tag: string; readonly direction: "ltr" | "rtl" };
}

/** A small, self-contained page. */
export const page = ({ title, main, head = "", language }: PageParts): string => `<!doctype html>
<html lang="${language?.tag ?? "en"}"${language?.direction === "rtl" ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
${head}</head>
<body>
<main>
${mark}
${main}
</main>
</body>
</html>
`;

/** A link to the abuse report form. It looks the same whether or not the code exists. */
export const reportLink = (hash: string, text: string): string =>
  `<p class="report"><a href="/report?hash=${hash}">${text}</a></p>`;

const missingPage = page({
  title: "Page not found",
  main: `<h1>Page not found</h1>
<p>Check the address for typos.</p>
<p><a class="button" href="/dashboard">Open dashboard</a></p>`,
});

/** 404 for a path on the host of the dashboard and the API, which serves no codes. */
export function pageNotFound(): Response {
  return new Response(missingPage, { status: 404, headers: pageHeaders });
}

/** 429 for an unknown hash, from a network that looks up too many of them. Codes that exist are still answered. */
export function tooManyMisses(): Response {
  return new Response(
    "Too many invalid codes were scanned from this network. Wait a minute, then try again.\n",
    {
      status: 429,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "retry-after": "60",
      },
    },
  );
}

/** 405: a code accepts only GET and HEAD. */
export function methodNotAllowed(): Response {
  return new Response("Open codes with GET or HEAD.\n", {
    status: 405,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", allow: "GET, HEAD" },
  });
}
