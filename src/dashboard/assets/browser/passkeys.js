// Forms that a passkey signs. Submitting one asks the browser for a passkey; its answer goes into the field `credential`,
// and the form is submitted again with it.

(() => {
  document.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement) || form.dataset.passkey === undefined) return;
      const field = form.elements.namedItem("credential");
      if (!(field instanceof HTMLInputElement) || field.value !== "") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void answer(form, field, submitter);
    },
    true,
  );

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLInputElement} field
   * @param {HTMLElement | null} submitter
   */
  async function answer(form, field, submitter) {
    const problem = form.querySelector("[data-passkey-problem]");
    const tell = (/** @type {string} */ text) => {
      if (!(problem instanceof HTMLElement)) return;
      problem.textContent = text;
      problem.hidden = text === "";
    };
    tell("");
    try {
      const credential = await ask(form);
      if (!(credential instanceof PublicKeyCredential)) return;
      field.value = JSON.stringify(credential);
      form.requestSubmit(submitter);
      // The browser has read the field. Going back to this page must not find an answer in it.
      field.value = "";
    } catch (error) {
      tell(reasonOf(error));
    }
  }

  /**
   * Asks the browser for a new passkey, or for a signature of one.
   * @param {HTMLFormElement} form
   */
  function ask(form) {
    const { passkey, options = "{}" } = form.dataset;
    const given = JSON.parse(options);
    if (passkey !== "create") {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
      return navigator.credentials.get({ publicKey });
    }
    const person = form.elements.namedItem("person");
    if (person instanceof HTMLInputElement) {
      given.user.name = person.value;
      given.user.displayName = person.value;
    }
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
    return navigator.credentials.create({ publicKey });
  }

  /**
   * Words for the person, by the errors that browsers report.
   * @param {unknown} error
   */
  function reasonOf(error) {
    const name = error instanceof Error ? error.name : "";
    switch (name) {
      case "NotAllowedError":
        return "No passkey was used: the request was cancelled or took too long. Try again.";
      case "InvalidStateError":
        return "This device already has one of your passkeys. Use that one, or another device.";
      case "NotSupportedError":
      case "ConstraintError":
        return "This device can't keep passkeys with a screen lock. Set one up, or use another device.";
      case "SecurityError":
        return "Passkeys don't work at this address. Open the service at its own address.";
      default:
        return "This browser doesn't support passkeys. Update it, or use another one.";
    }
  }
})();
