import { formatNumber } from "../values/format.ts";
import { formatHour, weekdays } from "./format.ts";
import { heatSteps, percent, shadeOf } from "./scale.ts";

const hours = 24;
/** Units of the drawing. A cell is 100 by 100. */
const field = 100;
const gap = { x: 7, y: 8 };

/** Scans by hour of the week, from Monday 00:00: a grid of 7 days and 24 hours, with a table of the same numbers. */
export function HourMap({ scans }: { scans: readonly number[] }) {
  const at = (day: number, hour: number) => scans[day * hours + hour] ?? 0;
  const largest = Math.max(0, ...scans);
  const fieldsOf = (shade: number) =>
    weekdays
      .flatMap((_, day) =>
        Array.from({ length: hours }, (_hour, hour) =>
          shadeOf(at(day, hour), largest) === shade
            ? `M${hour * field} ${day * field}h${field - gap.x}v${field - gap.y}h-${field - gap.x}z`
            : "",
        ),
      )
      .join("");
  return (
    <figure class="chart hours">
      <div class="chart-frame" role="img" aria-label={describe(scans, largest)} data-hours="">
        <svg class="chart-counts" width="36" aria-hidden="true">
          {weekdays.map(({ short }, day) => (
            <text y={percent((day + 0.5) / weekdays.length)} dy="0.32em">
              {short}
            </text>
          ))}
        </svg>
        <svg
          class="chart-plot"
          viewBox={`0 0 ${hours * field} ${weekdays.length * field}`}
          width="100%"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {Array.from({ length: heatSteps + 1 }, (_, shade) => (
            <path class={`heat-${shade}`} d={fieldsOf(shade)} />
          ))}
        </svg>
        <svg class="chart-steps" width="100%" height="24" aria-hidden="true">
          {[0, 6, 12, 18].map((hour) => (
            <text x={percent(hour / hours)} y="17">
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
