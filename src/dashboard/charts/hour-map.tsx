import { formatCount, formatNumber } from "../components/values/format.ts";
import { formatHour, weekdays } from "./format.ts";
import { percent, shadeOf } from "./scale.ts";

const hours = 24;
/** Pixels. */
const rowHeight = 22;
const gap = 2;
const labelHeight = 20;
const dayWidth = 36;

/** Scans by hour of the week, from Monday 00:00: a field of 7 days and 24 hours, with a table of the same numbers. */
export function HourMap({ scans }: { scans: readonly number[] }) {
  const at = (day: number, hour: number) => scans[day * hours + hour] ?? 0;
  const largest = Math.max(0, ...scans);
  const height = weekdays.length * rowHeight;
  return (
    <figure class="chart">
      <div class="chart-frame" role="img" aria-label={describe(scans, largest)}>
        <svg class="chart-counts" width={dayWidth} height={height} aria-hidden="true">
          {weekdays.map(({ short }, day) => (
            <text x="0" y={(day + 0.5) * rowHeight} dy="0.32em">
              {short}
            </text>
          ))}
        </svg>
        <svg class="chart-plot" width="100%" height={height} aria-hidden="true">
          {weekdays.map(({ long }, day) =>
            Array.from({ length: hours }, (_, hour) => (
              <rect
                class={`shade-${shadeOf(at(day, hour), largest)}`}
                x={percent(hour / hours)}
                y={day * rowHeight}
                width={percent(0.9 / hours)}
                height={rowHeight - gap}
                rx="2"
              >
                <title>{`${long} ${formatHour(hour)}: ${formatCount(at(day, hour), "scan")}`}</title>
              </rect>
            )),
          )}
        </svg>
        <svg class="chart-steps" width="100%" height={labelHeight} aria-hidden="true">
          {[0, 6, 12, 18].map((hour) => (
            <text x={percent(hour / hours)} y="15">
              {formatHour(hour)}
            </text>
          ))}
        </svg>
      </div>
      <details class="chart-table">
        <summary>Show the numbers</summary>
        <section class="chart-scroll" aria-label="Scans by hour of the week, in numbers" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Hour</th>
                {weekdays.map(({ short }) => (
                  <th scope="col">{short}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: hours }, (_, hour) => (
                <tr>
                  <th scope="row">{formatHour(hour)}</th>
                  {weekdays.map((_day, day) => (
                    <td>{formatNumber(at(day, hour))}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

function describe(scans: readonly number[], largest: number): string {
  if (largest === 0) return "Scans by hour of the week: none.";
  const index = scans.indexOf(largest);
  const day = weekdays[Math.floor(index / hours)]?.long;
  return `Scans by hour of the week. Most on ${day} at ${formatHour(index % hours)}: ${formatNumber(largest)}.`;
}
