/** Codes of a folder, a tag or a logo that are counted at most: counting reads them all. One more stands for "more". */
export const mostCounted = 10_000;
