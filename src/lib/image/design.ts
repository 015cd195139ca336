import type { Hex } from "./color.ts";

type ModuleStyle = "square" | "rounded" | "dots" | "diamond" | "connected" | "vertical" | "horizontal";
/** The form of an eye's ring, and of what is inside it. */
export type EyeForm = "square" | "rounded" | "circle" | "leaf" | "cut" | "drop";

/** A gradient across the whole symbol. */
export interface Gradient {
  readonly type: "linear" | "radial";
  /** The last colour. */
  readonly to: Hex;
  /** Degrees clockwise: 0 runs from left to right. */
  readonly angle: number;
}

/** The filling of an area: a colour, or a gradient that begins with it. */
export interface Paint {
  readonly color: Hex;
  readonly gradient?: Gradient | undefined;
}

/** How a logo is placed; lengths in modules. */
export interface LogoLayout {
  /** The logo's longer side as a share of the symbol's; undefined for as large as may be. */
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

/** How a code looks, with every default resolved. Lengths are in modules. */
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
  /** Whether the symbol holds the address in upper case. */
  readonly compact: boolean;
}

/** Whether a design has shape and colours only, so that the small PNG encoder can draw it if there is no logo. */
export const isPlain = (design: Design): boolean =>
  (design.modules === "square" || design.modules === "dots") &&
  design.eyeFrame === "square" &&
  design.eyeCenter === "square" &&
  design.dots.gradient === undefined &&
  design.corners.gradient === undefined &&
  design.backgroundRadius === 0 &&
  design.frame === undefined;
