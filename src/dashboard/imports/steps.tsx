import { Stepper } from "../../ui/stepper.tsx";

/** The steps of an import. @param current from 0; 3 once its job is completed */
export const ImportSteps = ({ current, mode }: { current: number; mode: "change" | "create" }) => (
  <Stepper
    label="Import"
    steps={["File", "Check", mode === "change" ? "Change" : "Create"]}
    current={current}
  />
);
