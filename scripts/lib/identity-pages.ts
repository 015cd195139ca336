const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto 0; padding: 0 1.5rem }
label, input { display: block; width: 100%; box-sizing: border-box; margin-bottom: .75rem }
input, button { font: inherit; padding: .5rem .75rem }
</style>
</head>
<body><main>
<h1>${title}</h1>
${content}
</main></body>
</html>
`;

/** The sign-in form, which asks for a name only. */
export const signInPage = page(
  "Who are you?",
  `<p>This sign-in is for local development: any name will do.</p>
<form method="post">
<label for="name">Name</label>
<input id="name" name="name" value="demo" required maxlength="100" autofocus autocomplete="username">
<button type="submit">Sign in</button>
<button type="submit" name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
);

/** The page for a sign-in that failed. */
export const failurePage = (reason: string): string =>
  page("That did not work", `<p>${reason.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
