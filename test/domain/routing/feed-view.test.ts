import { describe, expect, it } from "vitest";
import { feedView } from "../../../src/edge/routing/feed-view.ts";
import { type FeedPage, feedPageFormat } from "../../../src/protocol/route-feed.ts";
import { Service } from "../../support/service.ts";

const page: FeedPage = {
  format: feedPageFormat,
  seq: 5,
  changes: [],
  more: false,
  at: 90_000,
  instance: "one",
};

/** A view that read the feed at 1000 by its own clock, which is 89 s behind the feed's. */
function ownView() {
  const view = feedView(new Service().deps);
  view.addPage(page, 1000);
  return view;
}

describe("a page that another isolate read", () => {
  const shared = { ...page, from: 5, seq: 6, at: 90_600, changes: [{ key: "a", version: 2 }] };

  it("is as old as the feed's clock says, since the view's own read", () => {
    const view = ownView();
    expect(view.addShared(shared, 2050)).toBe(true);
    expect(view.minVersion("a")).toBe(2);
    expect([view.isFresh(2600), view.isFresh(2601)]).toEqual([true, false]);
  });

  it("is never younger than the time of its arrival", () => {
    const view = ownView();
    expect(view.addShared({ ...shared, at: 900_000 }, 1700)).toBe(true);
    expect([view.isFresh(2700), view.isFresh(2701)]).toEqual([true, false]);
  });

  it.each([
    { title: "another run of the feed, with another clock", differences: { instance: "two" }, now: 1700 },
    { title: "changes after some that the view lacks", differences: { from: 6 }, now: 1700 },
    { title: "a time too long after the view's own read", differences: { at: 120_050 }, now: 31_050 },
  ])("is not used if it has $title", ({ differences, now }) => {
    const view = ownView();
    expect(view.addShared({ ...shared, ...differences }, now)).toBe(false);
    expect(view.minVersion("a")).toBe(0);
    expect(view.isFresh(now + 500)).toBe(false);
  });

  it("leaves a view alone that is newer", () => {
    const view = ownView();
    view.addPage({ ...page, seq: 7, at: 90_900 }, 1900);
    expect(view.addShared(shared, 1950)).toBe(true);
    expect(view.seq).toBe(7);
    expect([view.isFresh(2900), view.isFresh(2901)]).toEqual([true, false]);
  });
});
