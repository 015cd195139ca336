import { baseRules, mark, serviceColors } from "../../../src/lib/web/service-style.ts";
import { companyName } from "../../company/company.ts";

const page = (title: string, content: string, head = ""): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>
${serviceColors}
${baseRules}
main { max-width: 24rem; margin: 15vh auto 0; padding: 0 1.5rem }
label { display: block; margin: 0 0 .25rem; font-weight: 600 }
input { display: block; width: 100%; min-height: 3rem; margin: 0 0 1rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .375rem; background: var(--paper); color: inherit; font: inherit }
.plain { border: 1px solid var(--edge); background: none; color: inherit }
</style>
</head>
<body><main>
${mark}
<h1>${title}</h1>
${content}
</main></body>
</html>
`;

/** The sign-in form, which only asks for a name. */
export const signInPage = page(
  "Sign in for local development",
  `<p>There are no passwords here. Choose any name: a new name gets a new workspace.</p>
<form method="post">
<label for="name">Name</label>
<input id="name" name="name" value="demo" required maxlength="100" autofocus autocomplete="username">
<button class="button" type="submit">Sign in</button>
<button class="button plain" type="submit" name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
);

/** Offers the example company. */
export const examplePage = page(
  "Explore the example",
  `<p>${companyName} is an invented company with twelve codes, two months of scans, a hosted page, a webhook and three people.</p>
<p>It is added to the data on this machine, and everyone who has signed in here joins it. The service restarts, which takes about half a minute. Your own workspace stays as it is.</p>
<form method="post">
<button class="button" type="submit">Open ${companyName}</button>
</form>`,
);

/** Shown while the example company is added. It asks again each second. */
export const addingPage = page(
  `Adding ${companyName}…`,
  "<p>The dashboard opens by itself.</p>",
  '<meta http-equiv="refresh" content="1">',
);

/** The page for a failed sign-in. */
export const failurePage = (reason: string): string =>
  page("Sign-in failed", `<p>${reason.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
