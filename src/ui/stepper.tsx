import { Finder } from "./finder.tsx";
import { Icon } from "./icon.tsx";

interface Props {
  /** The task that the steps belong to. */
  readonly label: string;
  readonly steps: readonly string[];
  /** The index of the current step; the number of steps once all are done. */
  readonly current: number;
  /** Whether each step has a line of its own, for many or long ones. */
  readonly isList?: boolean;
}

export type Progress = "done" | "current" | "upcoming";

/** The mark of a step. Decorative. */
export function StepMark({ progress }: { progress: Progress }) {
  if (progress === "done") return <Icon name="check" />;
  return progress === "current" ? <Finder /> : <span class="to-come" />;
}

const progressOf = (i: number, current: number): Progress =>
  i < current ? "done" : i === current ? "current" : "upcoming";

/** A task's steps: done, current and upcoming. */
export const Stepper = ({ label, steps, current, isList = false }: Props) => (
  <ol class={isList ? "stepper list" : "stepper"} aria-label={label}>
    {steps.map((step, i) => (
      <li class={i < current ? "done" : undefined} aria-current={i === current ? "step" : undefined}>
        <StepMark progress={progressOf(i, current)} />
        {step}
        {i < current && <span class="visually-hidden">, done</span>}
      </li>
    ))}
  </ol>
);
