import type { Hex } from "./color.ts";

type ModuleStyle = "square" | "rounded" | "dots" | "diamond" | "connected" | "vertical" | "horizontal";
/** The shape of an eye's ring, and of its centre. */
export type EyeForm = "square" | "rounded" | "circle" | "leaf" | "cut" | "drop";

/** A gradient across the whole symbol. */
export interface Gradient {
  readonly type: "linear" | "radial";
  /** The last colour. */
  readonly to: Hex;
  /** Degrees clockwise: 0 runs from left to right. */
  readonly angle: number;
}

/** An area's fill: a colour, or a gradient that begins with it. */
export interface Paint {
  readonly color: Hex;
  readonly gradient?: Gradient | undefined;
}

/** A logo's placement. Lengths are in modules. */
export interface LogoLayout {
  /** The logo's longer side as a share of the symbol's; undefined for as large as possible. */
  readonly size?: number | undefined;
  readonly padding: number;
  readonly cutout: "square" | "circle" | "none";
}

/** A frame around the symbol and its quiet zone. */
export interface FrameDesign {
  readonly style: "line" | "label" | "solid" | "round";
  readonly text?: string | undefined;
  readonly color: Hex;
  readonly textColor: Hex;
}

/** A code's design, with every default resolved. Lengths are in modules. */
export interface Design {
  readonly modules: ModuleStyle;
  readonly eyeFrame: EyeForm;
  readonly eyeCenter: EyeForm;
  readonly dots: Paint;
  readonly corners: Paint;
  readonly background: Hex | "transparent";
  readonly backgroundRadius: number;
  readonly logo: LogoLayout;
  readonly frame?: FrameDesign | undefined;
  /** Undefined for the default. */
  readonly quietZone?: number | undefined;
  /** The level of error correction; undefined for the best one. */
  readonly ecc?: "L" | "M" | "Q" | "H" | undefined;
  /** Whether the symbol contains the address in upper case. */
  readonly compact: boolean;
}

/**
 * Returns whether a design only has shape and colours, so that the small PNG encoder can draw it if there is no logo.
 */
export const isPlain = (design: Design): boolean =>
  (design.modules === "square" || design.modules === "dots") &&
  design.eyeFrame === "square" &&
  design.eyeCenter === "square" &&
  design.dots.gradient === undefined &&
  design.corners.gradient === undefined &&
  design.backgroundRadius === 0 &&
  design.frame === undefined;
