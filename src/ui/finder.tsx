import { finderCentre, finderRing } from "../lib/web/service-style.ts";

/** The finder: a ring around a lit square, for whatever is selected or in progress. Decorative. */
export const Finder = () => (
  <svg class="finder" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
    <path fill="currentColor" fill-rule="evenodd" d={finderRing} />
    <path class="centre" d={finderCentre} />
  </svg>
);
