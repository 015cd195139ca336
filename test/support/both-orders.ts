import { describe } from "vitest";

/** The two of a pair, in the order in which the test uses them. */
type Pair<Thing> = readonly [first: Thing, second: Thing];

/**
 * Describes tests of two things once for each order in which they were made: what is moved, swapped or put into order
 * has ids, versions and times that rise, and a rule that holds towards newer things only would pass every test of one
 * order.
 * @param title the sentence that the two orders complete: "a tag moves from one code to another"
 * @param tests gets a function that makes two things one after the other, and returns them in the order of the test
 */
export function inBothOrders(
  title: string,
  tests: (make: <Thing>(one: () => Promise<Thing>) => Promise<Pair<Thing>>) => void,
): void {
  describe.each([
    { order: "older first", isReversed: false },
    { order: "newer first", isReversed: true },
  ])(`${title}, $order`, ({ isReversed }) => {
    tests(async (one) => {
      const [older, newer] = [await one(), await one()];
      return isReversed ? [newer, older] : [older, newer];
    });
  });
}
