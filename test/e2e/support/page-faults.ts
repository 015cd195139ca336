import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Result, RunOptions } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { sample } from "../../support/runner/runs.ts";
import { fetchAs } from "./tabs.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Gzipped bytes of a page with all that it loads, at most. */
const maxBytes = 150 * 1024;

/**
 * The cumulative layout shift of a page, at most: half of what counts as good. On a busy machine a page is painted before
 * all of it has arrived, so none at all would be too little.
 */
const maxShift = 0.05;

/** CSS pixels that a control has in each direction, at least: for a finger, and for a mouse. */
const minTarget = 44;
const minTargetOfMouse = 24;

/** High enough that a browser loads all images and sees all shifts of a page. */
const wide = { width: 1280, height: 4000 };
const narrow = { width: 320, height: 800 };

/** How a page is audited for accessibility. Both in the long runs; else one, since an audit costs more than all the rest. */
export type Scheme = "light" | "dark";

/**
 * Every rule that the page in a tab breaks, each in a line: of accessibility in light and dark, of its width on a small
 * phone, of its weight, of its layout while it loads, and of the size of its controls.
 * @param load opens the page, and returns its HTML
 * @param schemes in which it is audited, in light on a wide screen and in dark on a narrow one
 */
export async function pageFaults(
  page: Page,
  load: () => Promise<string>,
  schemes: readonly Scheme[] = ["light", "dark"],
): Promise<string[]> {
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const source = await load();
  await page.evaluate(() => {
    // Lazy pictures in what is closed are never loaded.
    const shown = [...document.images].filter((image) => image.loading !== "lazy" || image.checkVisibility());
    return Promise.all(shown.map((image) => image.decode()));
  });
  const faults = [
    ...(await page.evaluate(inlineParts, source)),
    ...(await page.evaluate(picturesWithoutSize, source)),
    ...(await page.evaluate(layoutShift, maxShift)),
    ...(await weightFaults(page, source)),
  ];
  await page.evaluate(() => {
    // Menus cover what is below them.
    for (const each of document.querySelectorAll("details")) each.open = !each.matches("[data-menu]");
  });
  if (schemes.includes("light")) faults.push(...(await axeFaults(page)));
  await page.setViewportSize(narrow);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const isCoarse = await page.evaluate(() => matchMedia("(pointer: coarse)").matches);
  const min = isCoarse ? minTarget : minTargetOfMouse;
  // All that does not depend on the looks was audited in light already.
  if (schemes.includes("dark")) {
    faults.push(...(await axeFaults(page, schemes.includes("light") ? looks : undefined)));
  }
  faults.push(...(await page.evaluate(sizeFaults, min)));
  return [...new Set(faults)];
}

/**
 * Every rule that a page for visitors breaks, each in a line: of accessibility in light and dark, of its width on a small
 * phone, and of the size of its controls.
 */
export async function visitorPageFaults(page: Page, url: string): Promise<string[]> {
  const faults: string[] = [];
  const views = [
    [wide, "light", undefined],
    [narrow, "light", looks],
    [narrow, "dark", looks],
  ] as const;
  for (const [viewport, colorScheme, rules] of sample(views, 2)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Loaded again, because scripts may choose by colours and width as well.
    await page.goto(url);
    faults.push(...(await axeFaults(page, rules)), ...(await page.evaluate(sizeFaults, minTarget)));
  }
  return [...new Set(faults)];
}

/** Pictures in a page's source that say no size, so that what follows them moves when they arrive. */
function picturesWithoutSize(source: string): string[] {
  const parsed = new DOMParser().parseFromString(source, "text/html");
  return [...parsed.querySelectorAll("img:not([width][height])")].map(
    (each) => `no size: ${each.outerHTML.slice(0, 160)}`,
  );
}

/** Inline scripts and styles in a page's source, which the dashboard's policy forbids. */
function inlineParts(source: string): string[] {
  const parsed = new DOMParser().parseFromString(source, "text/html");
  const inline = [...parsed.querySelectorAll("*")].filter(
    (each) =>
      each.matches("style, script:not([src]), [href^='javascript:']") ||
      each.getAttributeNames().some((name) => /^(on|style$|hx-on)/.test(name)),
  );
  return inline.map((each) => `inline: ${each.outerHTML.slice(0, 160)}`);
}

/** The rules of accessibility that depend on colours and on the width. */
const looks = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** The findings of axe-core in a page as it is shown. @param rules by their ids; all if undefined */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(`"axe" in window`))) await page.evaluate(axe);
  // Without what is not read here: the elements without a fault, and stylesheets and media fetched again.
  const options: RunOptions = {
    resultTypes: ["violations"],
    preload: false,
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
  };
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `axe ${id}: ${html}`));
}

/** The shifts of a page that has loaded, if their sum is over `max`. */
const layoutShift = (max: number) =>
  new Promise<string[]>((resolve) => {
    const shifts: (PerformanceEntry & { readonly value?: number })[] = [];
    const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    // The shifts of a frame are known after the next one, those before now in a task of their own.
    const finish = () => {
      shifts.push(...observer.takeRecords());
      const sum = shifts.reduce((total, { value = 0 }) => total + value, 0);
      resolve(sum > max ? shifts.map((shift) => `shift: ${JSON.stringify(shift)}`) : []);
    };
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(finish)));
  });

/** The font for the letters of some customers' names, which is no part of a page. */
const fontOfNames = /\/inter-extended-/;

/** The pictures of a proof, about 100 KB that a browser asks for once they are seen, and keeps. */
const proofPictures = /\/proof\.png\?/;

/** Gzipped sizes by address. Files with a hash in their name are the same on all pages. */
const sizes = new Map<string, Promise<number>>();

async function weightFaults(page: Page, source: string): Promise<string[]> {
  const addresses = await page.evaluate(() => {
    // Browsers take lazy pictures that aren't shown from memory, where another page has left them.
    const hidden = [...document.images].filter(
      (image) => image.loading === "lazy" && !image.checkVisibility(),
    );
    const unseen = new Set(hidden.map(({ currentSrc }) => currentSrc));
    const names = performance.getEntriesByType("resource").map(({ name }) => name);
    return names.filter((name) => !unseen.has(name));
  });
  const own = addresses.filter((address) => !fontOfNames.test(address) && !proofPictures.test(address));
  const loaded = await Promise.all(
    [...new Set(own)].map(async (address) => {
      const size = sizes.get(address) ?? sizeOf(page.context(), address);
      sizes.set(address, size);
      return { address, size: await size };
    }),
  );
  // A page without its stylesheet and scripts was not measured.
  if (loaded.length < 3) return [`weight: only ${loaded.length} files were loaded`];
  const parts = [{ address: "the page", size: gzipSync(source).length }, ...loaded];
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  if (bytes < maxBytes) return [];
  return [`weight: ${bytes} bytes, ${parts.map(({ address, size }) => `${address} ${size}`).join(", ")}`];
}

const sizeOf = async (context: BrowserContext, address: string): Promise<number> =>
  gzipSync(await (await fetchAs(context, address)).arrayBuffer()).length;

/** Controls that are too small to be hit with a finger, and a page that is wider than the screen. */
function sizeFaults(min: number): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const widest = [...document.querySelectorAll("main *")].find(
    (each) => each.getBoundingClientRect().right + scrollX >= scrollWidth - 1,
  );
  const overflow =
    scrollWidth > clientWidth ? [`width: ${scrollWidth} pixels, by ${widest?.outerHTML.slice(0, 160)}`] : [];
  const controls = document.querySelectorAll<HTMLElement>(
    "a[href], button, input, select, textarea, summary",
  );
  const small = [...controls].flatMap((control) => {
    // A label around a control, or the row that a link fills, is the target.
    const target = control.closest<HTMLElement>("label") ?? control;
    const { width, height } = target.getBoundingClientRect();
    const isShown = control.checkVisibility({ visibilityProperty: true }) && width > 1;
    const isInText =
      control.matches("a") &&
      getComputedStyle(control).display === "inline" &&
      (control.parentElement?.textContent.trim().length ?? 0) > control.textContent.trim().length;
    // The field of a form that only programs fill in, for one.
    const isOutOfReach = control.closest("[aria-hidden=true]") !== null;
    const isSkipLink = control.matches(".skip");
    if (
      !isShown ||
      isInText ||
      isOutOfReach ||
      isSkipLink ||
      (Math.round(width) >= min && Math.round(height) >= min)
    )
      return [];
    return [`target: ${Math.round(width)} × ${Math.round(height)} ${control.outerHTML.slice(0, 160)}`];
  });
  return [...overflow, ...small];
}
