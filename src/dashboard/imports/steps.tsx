import { Stepper } from "../../ui/stepper.tsx";

/** The steps of an import. @param current from 0; 3 once its codes are created */
export const ImportSteps = ({ current }: { current: number }) => (
  <Stepper label="Import" steps={["File", "Check", "Create"]} current={current} />
);
