import type { ColorConfig } from "./resources/codes/qr.ts";
import type { Advanced } from "./resources/images/design.ts";

/** A design that is offered ready-made. */
export interface Preset {
  readonly name: string;
  readonly colorConfig: ColorConfig;
  readonly advanced: Advanced;
}

const dark = "#0f172a";

/** The ready-made designs that people can start from. */
export const presets: readonly Preset[] = [
  { name: "Classic", colorConfig: { dotsColor: "#000000" }, advanced: { modules: "square" } },
  {
    name: "Soft",
    colorConfig: { dotsColor: dark },
    advanced: { modules: "rounded", eyeFrame: "rounded", eyeCenter: "rounded", backgroundRadius: 3 },
  },
  {
    name: "Dots",
    colorConfig: { dotsColor: "#111827" },
    advanced: { modules: "dots", eyeFrame: "circle", eyeCenter: "circle" },
  },
  {
    name: "Ocean",
    colorConfig: { dotsColor: "#0c4a6e", cornerColor: "#082f49" },
    advanced: {
      modules: "connected",
      eyeFrame: "rounded",
      eyeCenter: "circle",
      gradient: { type: "linear", to: "#0e7490", angle: 45 },
    },
  },
  {
    name: "Sunset",
    colorConfig: { dotsColor: "#9f1239", backgroundColor: "#fff7ed" },
    advanced: {
      modules: "rounded",
      eyeFrame: "drop",
      eyeCenter: "drop",
      gradient: { type: "linear", to: "#b45309", angle: 90 },
      backgroundRadius: 3,
    },
  },
  {
    name: "Leaf",
    colorConfig: { dotsColor: "#14532d", backgroundColor: "#f7fee7" },
    advanced: {
      modules: "connected",
      eyeFrame: "leaf",
      eyeCenter: "leaf",
      gradient: { type: "radial", to: "#3f6212" },
      backgroundRadius: 3,
    },
  },
  {
    name: "Facet",
    colorConfig: { dotsColor: "#312e81" },
    advanced: { modules: "diamond", eyeFrame: "cut", eyeCenter: "cut" },
  },
  {
    name: "Pinstripe",
    colorConfig: { dotsColor: "#1f2937" },
    advanced: { modules: "vertical", eyeFrame: "rounded", eyeCenter: "rounded" },
  },
  {
    name: "Scan me",
    colorConfig: { dotsColor: dark },
    advanced: {
      modules: "rounded",
      eyeFrame: "rounded",
      eyeCenter: "rounded",
      frame: { style: "label", text: "Scan me" },
    },
  },
  {
    name: "Poster",
    colorConfig: { dotsColor: "#991b1b" },
    advanced: { modules: "square", frame: { style: "solid", text: "SCAN ME" } },
  },
  {
    name: "Pill",
    colorConfig: { dotsColor: "#1e3a8a" },
    advanced: {
      modules: "dots",
      eyeFrame: "circle",
      eyeCenter: "circle",
      frame: { style: "round", text: "Scan me" },
    },
  },
  {
    name: "Card",
    colorConfig: { dotsColor: "#1c1917", backgroundColor: "#fafaf9" },
    advanced: {
      modules: "horizontal",
      eyeFrame: "rounded",
      eyeCenter: "rounded",
      frame: { style: "line", text: "Point your camera here" },
    },
  },
];

/** Returns the ready-made design with this name, however its letters are written; undefined for none. */
export const presetNamed = (name: string): Preset | undefined =>
  presets.find((each) => each.name.toLowerCase() === name.toLowerCase());
