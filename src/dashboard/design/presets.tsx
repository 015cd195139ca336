import { type Preset, presets } from "../../contract/presets.ts";
import { designValues } from "./fields.ts";
import { fillValue } from "./fill.ts";
import { pictureOf, presetFiles } from "./preset-pictures.ts";

/** Fields that presets don't change, because they don't affect looks. */
const kept = /^advanced\.(?:logo|quietZone|ecc|compact)\b/;

const styleOf = ({ colorConfig, advanced }: Preset) => ({ colorConfig, shape: null, advanced, logoId: null });

const valuesOf = (preset: Preset): Record<string, string> =>
  Object.fromEntries(Object.entries(designValues(styleOf(preset))).filter(([name]) => !kept.test(name)));

/** The ready-made designs. Choosing one fills in all options. @param isOpen whether they are shown at once */
export async function Presets({ isOpen }: { isOpen: boolean }) {
  const { "presets.svg": pictures } = await presetFiles.paths("/dashboard/assets");
  return (
    <details class="more" open={isOpen}>
      <summary>
        Start from <span class="quiet">{presets.length} ready-made designs</span>
      </summary>
      <div class="tiles presets">
        {presets.map((preset) => (
          <button class="tile preset" type="submit" name="change" value={fillValue(valuesOf(preset))}>
            <img src={`${pictures}#${pictureOf(preset)}`} alt="" width="64" height="64" loading="lazy" />
            <span>{preset.name}</span>
          </button>
        ))}
      </div>
    </details>
  );
}
