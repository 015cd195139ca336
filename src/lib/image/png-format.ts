/** The first bytes of every PNG. */
export const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** Colour types, as numbered in the PNG specification. */
export const colorTypes = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;

/** Filter types of a scan line, as numbered in the PNG specification. */
export const filterTypes = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;
