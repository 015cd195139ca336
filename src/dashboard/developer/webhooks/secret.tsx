import { FormButtons, FormKey } from "../../../ui/forms/buttons.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { CopyField } from "../../../ui/values/copy-field.tsx";
import type { PageResponse } from "../../frame/request.ts";
import { Samples } from "../samples.tsx";
import { verifySamples } from "./verify-samples.ts";

/** The page with a signing secret, which can't be shown again. */
export function secretPage(
  title: string,
  back: { readonly path: string; readonly name: string },
  secret: string,
  note?: string,
): PageResponse {
  return {
    title,
    content: (
      <>
        <Head title={title} back={back} />
        <Notice kind="good" role="status">
          <p>
            <strong>Copy the signing secret now.</strong> You won't be able to see it again. {note}
          </p>
        </Notice>
        <section class="card">
          <CopyField label="Signing secret" value={secret} />
          <p class="quiet">Your receiver uses it to verify that a request comes from this service.</p>
        </section>
        <Verification />
        <p class="buttons">
          <a class="button primary" href={back.path}>
            Done
          </a>
        </p>
      </>
    ),
  };
}

/** Asks before a signing secret is replaced. */
export const rotationPage = (back: { readonly path: string; readonly name: string }): PageResponse => ({
  title: "Replace signing secret?",
  content: (
    <>
      <Head title="Replace signing secret?" back={back} />
      <div class="card">
        <p>
          You see the new secret once. <strong>The current one also signs for 24 more hours</strong>, so that
          you can update your receiver. If you replaced a secret in the last 24 hours, the one before that
          stops signing at once.
        </p>
        <PostForm>
          <FormKey />
          <FormButtons submit="Replace secret" back={back.path} />
        </PostForm>
      </div>
    </>
  ),
});

/** How a receiver verifies a signature. */
export function Verification() {
  return (
    <section class="card" aria-labelledby="verify">
      <h2 id="verify">Verify signatures</h2>
      <p>
        The header <code>X-Service-Signature</code> contains the time, and the HMAC-SHA256 of the time, a dot
        and the body. Verify the body byte for byte as received, before you parse it.
      </p>
      <Samples id="verify-a-signature" label="Verify a signature" samples={verifySamples} />
    </section>
  );
}
