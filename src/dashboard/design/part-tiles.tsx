import { EyePicture, FramePicture, ModulePicture } from "./pictures.tsx";

/** The parts of a design to choose from, each with its value, its name and its picture. */

export const moduleNames = {
  ...{ square: "Square", rounded: "Soft", dots: "Dots", connected: "Fluid" },
  ...{ horizontal: "Bars", vertical: "Columns", diamond: "Diamond" },
} as const;

export const eyeNames = {
  ...{ square: "Square", rounded: "Rounded", circle: "Circle" },
  ...{ leaf: "Leaf", cut: "Cut", drop: "Drop" },
} as const;

export const frameNames = { line: "Line", label: "Label", solid: "Solid", round: "Round" } as const;

const entriesOf = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  Object.entries(names) as [Value, string][];

/** The shapes that every plan has. */
const plain: readonly string[] = ["square", "dots"];

/** @param chosen a shape that is offered whatever the plan */
export const moduleTiles = (fullDesign: boolean, chosen?: string) =>
  entriesOf(moduleNames)
    .filter(([value]) => fullDesign || plain.includes(value) || value === chosen)
    .map(([value, text]) => ({ value, text, picture: <ModulePicture style={value} /> }));

export const eyeTiles = (part: "frame" | "center") =>
  entriesOf(eyeNames).map(([value, text]) => ({
    value,
    text,
    picture: <EyePicture part={part} form={value} />,
  }));

/** @param none the value of the choice without a frame */
export const frameTiles = (none = "") => [
  { value: none, text: "None", picture: <FramePicture style={undefined} /> },
  ...entriesOf(frameNames).map(([value, text]) => ({ value, text, picture: <FramePicture style={value} /> })),
];
