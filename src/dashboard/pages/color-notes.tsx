import type { DashboardRequest, Fragment } from "../frame/request.ts";
import { Contrasts } from "./contrast.tsx";
import { NewPictures } from "./parts.tsx";

/** Updates the contrasts, and the pictures of looks, while colours are chosen. */
export const colorNotes = ({ query }: DashboardRequest): Fragment => ({
  fragment: (
    <>
      <Contrasts values={query} />
      <NewPictures values={query} />
    </>
  ),
});
