/**
 * The widget, as browsers get it: one script tag with `data-key` puts a form in its place, in which a person types
 * an address and gets a QR code. It lives in a shadow root, so neither it nor the page changes the other's looks.
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

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const input = make("input", { type: "text", inputMode: "url", required: true, placeholder: "example.com" });
  const button = make("button", { type: "submit" }, "Make a QR code");
  const form = make("form", {}, make("label", {}, "Address", input), button);
  const output = make("output", {});
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
      const image = make("img", { src: scanUrl + ".svg", alt: "QR code for " + input.value });
      output.append(image, make("a", { href: scanUrl + ".png?download" }, "Download"));
    } catch (error) {
      const away = error instanceof TypeError;
      output.append(away ? "The service can't be reached from here. Please try again." : error.message);
    }
    button.disabled = false;
  });
})();
`;
