/**
 * The widget's script. A script tag with `data-key` inserts a form after itself, in which visitors enter a URL and get a
 * QR code. The form is in a shadow root, so that its styles and the page's don't affect each other.
 * @param appOrigin the origin of the API
 */
export const widgetScript = (appOrigin: string): string => `(() => {
  const tag = document.currentScript ?? document.querySelector("script[data-key][src$='/embed.js']");
  const host = document.createElement("div");
  tag.after(host);
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    form, output { display: block; max-width: 24rem; font: 1rem/1.5 system-ui, sans-serif }
    label { display: block }
    input { box-sizing: border-box; width: 100%; margin: .25rem 0 .5rem; padding: .5rem; font: inherit }
    button, a { display: inline-block; padding: .5rem 1rem; font: inherit }
    img { display: block; width: 100%; max-width: 16rem; margin: 1rem 0 }
  \`);
  root.adoptedStyleSheets = [sheet];

  const createElement = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const input = createElement("input", { type: "text", inputMode: "url", required: true, placeholder: "example.com" });
  const button = createElement("button", { type: "submit" }, "Make a QR code");
  const form = createElement("form", {}, createElement("label", {}, "Address", input), button);
  const output = createElement("output", {});
  root.append(form, output);

  const create = async (url) => {
    const request = fetch(${JSON.stringify(`${appOrigin}/api/v1/qr`)}, {
      method: "POST",
      headers: { authorization: "Bearer " + tag.dataset.key, "content-type": "application/json" },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url } }),
    });
    const response = await request.catch(() => {
      throw new Error(unreachable);
    });
    // A proxy in between may answer something else.
    const answer = await response.json().catch(() => null);
    if (!answer?.scanUrl) throw new Error(explain(answer ?? {}, response));
    return answer.scanUrl;
  };

  // An error of the service in words for visitors: most are for the website's owner to solve.
  const explain = ({ error, code }, { status, headers }) => {
    const retryAfter = headers.get("retry-after");
    const again = retryAfter ? new Intl.RelativeTimeFormat("en").format(retryAfter, "second") : "later";
    const problem = /^data\\.url: (.*)/.exec(error)?.[1];
    const explanations = {
      invalid_input: problem ? "The address " + problem : "This address can't be used.",
      rate_limited: "Too many requests were made here. Please try again " + again + ".",
      plan_limit:
        status === 403
          ? "No more QR codes can be made here today. Please try again tomorrow."
          : "No more QR codes can be made here, because the limit of the website's plan is reached.",
      unauthorized: "This form doesn't work, because its key is not valid. Please tell the website's owner.",
      forbidden: "This form is not allowed on this website. Please tell the website's owner.",
    };
    return explanations[code] ?? failed;
  };
  const failed = "Something went wrong. Please try again later.";
  const unreachable = "The service can't be reached. Please check your connection and try again.";

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    output.replaceChildren();
    try {
      const scanUrl = await create(input.value);
      const image = createElement("img", { src: scanUrl + ".svg", alt: "QR code for " + input.value });
      output.append(image, createElement("a", { href: scanUrl + ".png?download" }, "Download"));
    } catch (error) {
      output.append(error.message);
    }
    button.disabled = false;
  });
})();
`;
