import type { PropsWithChildren } from "hono/jsx";
import { glyphs } from "../../domain/images/glyphs.ts";
import type { Design, EyeForm, FrameDesign } from "../../lib/image/design.ts";
import { center, ring } from "../../lib/image/eyes.ts";
import { surround } from "../../lib/image/frame.ts";
import { modulePath } from "../../lib/image/modules.ts";
import { qrSymbol } from "../../lib/image/qr-symbol.ts";
import { lazy } from "../../lib/lazy.ts";

/** Rows of modules in which every style shows what it does: runs in both directions, corners and single ones. */
const sample = [
  "111010110",
  "100110011",
  "101101001",
  "111001111",
  "010110100",
  "011011101",
  "110010011",
  "001101110",
  "111001011",
];

const isDark = (x: number, y: number): boolean => sample[y]?.[x] === "1";

interface DrawnProps {
  /** Of the drawing, in modules. */
  readonly side: number;
  readonly height?: number;
  /** Pixels of the picture's side. */
  readonly size?: number;
}

const Drawn = ({ side, height = side, size = 40, children }: PropsWithChildren<DrawnProps>) => (
  <svg viewBox={`0 0 ${side} ${height}`} width={size} height={size} fill="currentColor" aria-hidden="true">
    {children}
  </svg>
);

/** A few modules in a style, as they are drawn in codes. */
export const ModulePicture = ({ style }: { style: Design["modules"] }) => (
  <Drawn side={sample.length}>
    <path d={modulePath(style, sample.length, isDark)} />
  </Drawn>
);

const eye = { x: 0, y: 0, side: 7 };
const middle = { x: 2, y: 2, side: 3 };

/** An eye: its ring or its centre is the one that is chosen, the other one is faint. */
export const EyePicture = ({ part, form }: { part: "frame" | "center"; form: EyeForm }) => (
  <Drawn side={7}>
    <path
      class={part === "frame" ? undefined : "faint"}
      d={ring(eye, part === "frame" ? form : "square", "upperLeft")}
    />
    <path
      class={part === "center" ? undefined : "faint"}
      d={center(middle, part === "center" ? form : "square", "square", "upperLeft")}
    />
  </Drawn>
);

/** The smallest code. */
const smallest = lazy(() => qrSymbol("QR", "M"));

/** A code in a frame, in one colour. */
export function FramePicture({ style }: { style: FrameDesign["style"] | undefined }) {
  const code = smallest();
  const side = code?.side ?? 21;
  const frame = style && ({ style, text: "SCAN ME", color: "#000000", textColor: "#ffffff" } as const);
  const design = { background: "transparent", backgroundRadius: 0, frame } as const;
  const around = surround(side, style === undefined ? 0 : 2, design, frame && glyphs().outline(frame.text));
  const modules = modulePath("square", side, (x, y) => (code?.at(x, y) ?? "light") !== "light");
  return (
    <Drawn side={around.width} height={around.height} size={48}>
      {around.areas.map(({ color, path }) => (
        <path class={color === "#ffffff" && style !== "line" ? "under" : undefined} d={path} />
      ))}
      <path d={modules} transform={`translate(${around.x} ${around.y})`} />
    </Drawn>
  );
}

/** A square with a gradient, in steps, since a page has no place for its definition. */
export const GradientPicture = ({ type }: { type: "" | "linear" | "radial" }) => (
  <Drawn side={8}>
    {type === "" && <rect width="8" height="8" />}
    {type === "linear" &&
      Array.from({ length: 8 }, (_, i) => <rect x={i} width="1" height="8" opacity={1 - i * 0.11} />)}
    {type === "radial" &&
      Array.from({ length: 4 }, (_, i) => (
        <rect x={i} y={i} width={8 - 2 * i} height={8 - 2 * i} class={`ring-${i}`} />
      ))}
  </Drawn>
);
