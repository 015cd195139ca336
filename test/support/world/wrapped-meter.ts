import type { Deps } from "../../../src/domain/deps.ts";
import type { KeyMeterMethods } from "../../../src/protocol/key-meter.ts";

/** Meters with some methods replaced. */
export const wrapMeter =
  (
    meter: Deps["meter"],
    replaced: { readonly [Name in keyof KeyMeterMethods]?: () => Promise<never> },
  ): Deps["meter"] =>
  (name) =>
    new Proxy(meter(name), {
      get: (target, property) => Reflect.get(replaced, property) ?? Reflect.get(target, property, target),
    });
