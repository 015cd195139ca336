// A script tag with `data-key` inserts a form after itself, in which visitors enter an address and get a QR code. The
// form is in a shadow root, so that its styles and the page's don't affect each other.

(() => {
  // Replaced when the script is served.
  const apiOrigin = "{apiOrigin}";
  const styles = "{styles}";

  /** @type {HTMLOrSVGScriptElement | null} */
  const tag = document.currentScript ?? document.querySelector("script[data-key][src$='/embed.js']");
  if (tag === null) return;
  const host = document.createElement("div");
  tag.after(host);
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Partial<HTMLElementTagNameMap[Name]> & { aria?: Record<string, string> }} properties
   * @param {(Node | string)[]} children
   */
  const createElement = (name, properties, ...children) => {
    const { aria = {}, ...rest } = properties;
    const element = document.createElement(name);
    Object.assign(element, rest);
    for (const [attribute, value] of Object.entries(aria)) element.setAttribute(`aria-${attribute}`, value);
    element.append(...children);
    return element;
  };
  const input = createElement("input", {
    id: "address",
    type: "text",
    inputMode: "url",
    autocapitalize: "none",
    spellcheck: false,
    placeholder: "example.com",
    aria: { describedby: "answer" },
  });
  const button = createElement("button", { type: "submit" }, "Create QR code");
  const form = createElement(
    "form",
    { noValidate: true },
    createElement("label", { htmlFor: "address" }, "Address"),
    createElement("div", { className: "row" }, input, button),
  );
  const output = createElement("output", { id: "answer" });
  root.append(form, output);

  /** Follows the page's scheme: dark if its text is light, whether by the page's own choice or the device's. */
  const followPage = () => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(host)
        .color.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    const isTextLight = red * 0.299 + green * 0.587 + blue * 0.114 > 140;
    host.style.colorScheme = isTextLight ? "dark" : "light";
  };
  const readAgain = () => {
    // The page's own scheme can only be read without the widget's.
    host.style.colorScheme = "";
    followPage();
  };
  readAgain();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readAgain);
  for (const element of [document.documentElement, document.body]) {
    new MutationObserver(readAgain).observe(element, { attributes: true });
    element.addEventListener("transitionend", readAgain);
  }

  /**
   * @param {string} url
   * @returns {Promise<string>} the short link
   */
  const create = async (url) => {
    const request = fetch(`${apiOrigin}/api/v1/qr`, {
      method: "POST",
      headers: { authorization: `Bearer ${tag.dataset.key}`, "content-type": "application/json" },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url } }),
    });
    const response = await request.catch(() => {
      throw new Error("The service can't be reached. Check your connection and try again.");
    });
    // A proxy may send something else.
    const answer = await response.json().catch(() => null);
    if (!answer?.scanUrl) throw new Error(explain(answer ?? {}, response));
    return answer.scanUrl;
  };

  /**
   * Words an error of the service for visitors. Most errors are for the website's owner to solve.
   * @param {{ error?: string, code?: string }} answer
   * @param {Response} response
   */
  const explain = ({ error, code }, { status, headers }) => {
    const retryAfter = headers.get("retry-after");
    const again = retryAfter
      ? new Intl.RelativeTimeFormat("en").format(Number(retryAfter), "second")
      : "later";
    const problem = /^data\.url (.*)/.exec(error ?? "")?.[1];
    if (code === "invalid_input") input.setAttribute("aria-invalid", "true");
    /** @type {Record<string, string>} */
    const explanations = {
      invalid_input: problem ? `The address ${problem}` : "This address can't be used.",
      rate_limited: `Too many requests were made here. Try again ${again}.`,
      plan_limit:
        status === 403
          ? "No more QR codes can be created here today. Try again tomorrow."
          : "No more QR codes can be created here, because the website has reached the limit of its plan.",
      unauthorized: "This form doesn't work, because its key isn't valid. Tell the website's owner.",
      forbidden: "This form isn't allowed on this website. Tell the website's owner.",
    };
    return explanations[code ?? ""] ?? "Something went wrong. Try again later.";
  };

  /**
   * Shows the code, its short link and its buttons.
   * @param {string} scanUrl
   * @param {string} address
   */
  const show = (scanUrl, address) => {
    const link = createElement(
      "a",
      { className: "link", href: scanUrl },
      scanUrl.replace(/^https?:\/\//, ""),
    );
    const copy = createElement("button", { type: "button", className: "quiet" }, "Copy link");
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(scanUrl);
      copy.textContent = "Copied";
    });
    // The clipboard requires https.
    copy.hidden = !navigator.clipboard;
    const download = createElement("a", { className: "button", href: `${scanUrl}.png?download` }, "Download");
    const facts = createElement(
      "div",
      {},
      createElement("p", {}, "Short link: ", link),
      createElement("div", { className: "row" }, download, copy),
    );
    const image = createElement("img", { src: `${scanUrl}.svg`, alt: `QR code for ${address}` });
    return createElement("div", { className: "code" }, image, facts);
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // Not the attribute `disabled`, which would lose the focus.
    if (button.ariaDisabled === "true") return;
    const address = input.value.trim();
    input.removeAttribute("aria-invalid");
    output.replaceChildren();
    button.ariaDisabled = "true";
    try {
      if (address === "") {
        input.setAttribute("aria-invalid", "true");
        throw new Error("Enter an address, such as example.com.");
      }
      output.append(show(await create(address), address));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      output.append(createElement("p", { className: "problem" }, message));
      if (input.ariaInvalid) input.focus();
    }
    button.ariaDisabled = null;
  });
})();
