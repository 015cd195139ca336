import { Head } from "../../ui/head.tsx";
import type { PageResponse } from "./request.ts";

/** The page shown when a form is resubmitted whose result can only be shown once. @param thing it created */
export const repeatedForm = (thing: string, back: { path: string; name: string }): PageResponse => ({
  title: "This form was already submitted",
  status: 409,
  content: (
    <>
      <Head title="This form was already submitted" back={back} />
      <p>
        Nothing was changed this time. The {thing} was shown the first time and can't be shown again. If you
        didn't copy it, replace it.
      </p>
      <p>
        <a class="button primary" href={back.path}>
          Back to {back.name}
        </a>
      </p>
    </>
  ),
});
