/**
 * The widget's script. A script tag with `data-key` inserts a form after itself, in which visitors enter a URL and get a
 * QR code. The form is in a shadow root, so that its styles and the page's don't affect each other.
 */
export const script = `(() => {
  const tag = document.currentScript ?? document.querySelector("script[data-key][src$='/embed.js']");
  const service = new URL(tag.src).origin;
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
    const response = await fetch(service + "/api/v1/qr", {
      method: "POST",
      headers: { authorization: "Bearer " + tag.dataset.key, "content-type": "application/json" },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url } }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.replace(/^data\\.url: /, "The address "));
    return answer;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    output.replaceChildren();
    try {
      const { scanUrl } = await create(input.value);
      const image = createElement("img", { src: scanUrl + ".svg", alt: "QR code for " + input.value });
      output.append(image, createElement("a", { href: scanUrl + ".png?download" }, "Download"));
    } catch (error) {
      const unreachable = error instanceof TypeError;
      output.append(unreachable ? "The service can't be reached from here. Please try again." : error.message);
    }
    button.disabled = false;
  });
})();
`;
