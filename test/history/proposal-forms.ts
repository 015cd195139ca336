import { button, type Case } from "./forms.ts";

/** The forms of changes that agents propose. */
export const proposalForms: Readonly<Record<string, Case>> = {
  "/changes/:id": {
    expected: ["job.created"],
    form: async (w) => ({ path: `/changes/${(await w.proposal()).id}` }),
  },
  "/changes/:id/decline": {
    expected: { none: "Leaves everything as it is" },
    form: button("/changes", (w) => w.proposal(), "decline"),
  },
};
