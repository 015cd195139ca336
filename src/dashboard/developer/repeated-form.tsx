import { Head } from "../components/head.tsx";
import type { PageResponse } from "../frame/request.ts";

/** The page after a form was submitted again whose answer is shown only once. @param thing what it has created */
export const repeatedForm = (thing: string, back: { path: string; name: string }): PageResponse => ({
  title: "This form was submitted before",
  status: 409,
  content: (
    <>
      <Head title="This form was submitted before" back={back} />
      <p>
        Nothing was changed now. The {thing} of the first time was shown once and can't be shown again. If you
        have not copied it, replace it by another one.
      </p>
      <p>
        <a class="button primary" href={back.path}>
          Back to {back.name}
        </a>
      </p>
    </>
  ),
});
