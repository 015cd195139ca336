import type { PropsWithChildren } from "hono/jsx";
import type { Scannability } from "../../../src/contract/resources/images/scannability.ts";
import { DateRange } from "../../../src/dashboard/analytics/date-range.tsx";
import { readView } from "../../../src/dashboard/analytics/view.ts";
import { ColorChips } from "../../../src/dashboard/design/color-chips.tsx";
import { EyePicture, FramePicture, ModulePicture } from "../../../src/dashboard/design/pictures.tsx";
import { Checks, Score } from "../../../src/dashboard/design/score.tsx";
import { Findings } from "../../../src/dashboard/operator/health.tsx";
import { parseDay } from "../../../src/lib/time/calendar.ts";
import { BarList } from "../../../src/ui/charts/bar-list.tsx";
import { HourMap } from "../../../src/ui/charts/hour-map.tsx";
import { Sparkline } from "../../../src/ui/charts/sparkline.tsx";
import { Legend, TimeSeries } from "../../../src/ui/charts/time-series.tsx";
import { Chip } from "../../../src/ui/chip.tsx";
import { type DocumentBase, htmlDocument } from "../../../src/ui/document.tsx";
import { Empty } from "../../../src/ui/empty.tsx";
import { Finder } from "../../../src/ui/finder.tsx";
import { Combobox, WordsField } from "../../../src/ui/forms/combobox.tsx";
import { Dropzone } from "../../../src/ui/forms/dropzone.tsx";
import { Checkbox, ColorField, Select, TextArea, TextField } from "../../../src/ui/forms/field.tsx";
import type { FormState } from "../../../src/ui/forms/form.ts";
import { Tiles } from "../../../src/ui/forms/tiles.tsx";
import { Head } from "../../../src/ui/head.tsx";
import { Icon, type IconName } from "../../../src/ui/icon.tsx";
import { icons } from "../../../src/ui/icons.ts";
import { Menu, MenuDivider, MenuLink, MenuTitle } from "../../../src/ui/menu.tsx";
import { Notice } from "../../../src/ui/notice.tsx";
import { Segmented } from "../../../src/ui/segmented.tsx";
import { Stepper } from "../../../src/ui/stepper.tsx";
import { Table } from "../../../src/ui/table.tsx";
import { Avatar } from "../../../src/ui/values/avatar.tsx";
import { CodeBlock } from "../../../src/ui/values/code-block.tsx";
import { Facts } from "../../../src/ui/values/facts.tsx";
import { Figures } from "../../../src/ui/values/figures.tsx";
import { Modules } from "../../../src/ui/values/modules.tsx";
import { Status } from "../../../src/ui/values/status.tsx";
import { WorkspaceLogo } from "../../../src/ui/values/workspace-logo.tsx";
import { galleryPath as path } from "../paths.ts";
import { colors } from "./colors.ts";

/** The scans of a few days, including a day without any. */
const chartDays = [40, 62, 0, 84, 120, 96, 52] as const;
const dayOfJune = (day: number): string => `2026-06-0${day + 1}T00:00:00+00:00`;

/** Returns the page of every component in its states, in light and dark. @param styles address of its own stylesheet */
export const galleryPage = (base: DocumentBase, styles: string) =>
  htmlDocument(
    base,
    "Components",
    <main id="main" class="components" tabindex={-1}>
      <link rel="stylesheet" href={styles} />
      <Head title="Components" />
      <div class="gallery">
        <Samples scheme="light" />
        <Samples scheme="dark" />
      </div>
      <Charts />
    </main>,
  );

const Sample = ({ name, children }: PropsWithChildren<{ name: string }>) => (
  <section>
    <h3>{name}</h3>
    {children}
  </section>
);

/**
 * A filled-in form with one problem. @param scheme prefix of the names, which are also ids and would otherwise occur
 * twice on the page
 */
const formOf = (scheme: string): FormState => ({
  values: new URLSearchParams([
    [`${scheme}-name`, "Summer menu"],
    [`${scheme}-url`, "harbour,example"],
    [`${scheme}-tags`, "menu, summer"],
    [`${scheme}-color`, "#0f5c4d"],
    [`${scheme}-on`, "on"],
  ]),
  problems: { [`${scheme}-url`]: "isn't a web address. Try harbour.example." },
});

const facts = { contrast: 8.2, covered: 0.11, quietZone: 4 };

const scannability = (score: number): Scannability => ({
  verdict: score >= 70 ? "Scans well from 13 mm" : "Too hard to scan",
  ...{ score, isReadable: score >= 70, addresses: 4, modules: 37, disturbances: [] },
  reasons: ["It is hard to read out of focus."],
  changes: ["Use square eyes."],
  print: [{ dpi: 300, moduleMillimeters: 0.34, widthMillimeters: 12.6, distanceMillimeters: 126 }],
});

/** In the scheme of the browser, since their regions can be on a page only once. */
/** With both ways to fix one: a page and a command. */
const findings = [
  { name: "sign-in", status: "failed", what: "It doesn't answer.", mend: "https://sign-in.example/metadata" },
  { name: "catalogue", status: "warning", what: "It is nearly full.", mend: "See workspaces" },
  { name: "routes", status: "unknown", what: "They weren't compared.", mend: "npm run doctor" },
] as const;

const Charts = () => (
  <Sample name="Charts">
    <Legend interval="day" bots earlier="7 days before" underWay />
    <TimeSeries
      interval="day"
      points={chartDays.map((scans, day) => ({ start: dayOfJune(day), scans, botScans: day }))}
      comparisonName="7 days before"
      comparison={chartDays.map((scans, day) => ({
        start: dayOfJune(day),
        scans: scans / 2,
        botScans: 0,
      }))}
      bots
      now={Date.parse(dayOfJune(chartDays.length - 1))}
    />
    <Sparkline values={chartDays} />
    <BarList
      title="Countries"
      bars={[
        { label: "Portugal", scans: 766 },
        { label: "Spain", scans: 107 },
      ]}
      other={{ values: 57, scans: 133 }}
    />
    <HourMap scans={Array.from({ length: 7 * 24 }, (_, hour) => Math.max(0, (hour % 24) - 8))} />
  </Sample>
);

function Samples({ scheme }: { scheme: "light" | "dark" }) {
  const form = formOf(scheme);
  const named = (name: string) => `${scheme}-${name}`;
  return (
    <div class={`scheme ${scheme}`}>
      <h2>{scheme === "light" ? "Light" : "Dark"}</h2>
      <Sample name="Button">
        <p class="buttons">
          <button class="button primary" type="button">
            Create code
          </button>
          <button class="button primary" type="button" disabled>
            Create code
          </button>
          <button class="button primary" type="button" aria-busy="true" disabled>
            <span class="spinner" />
            Creating
          </button>
        </p>
        <p class="buttons">
          <button class="button" type="button">
            <Icon name="pencil" />
            Edit
          </button>
          <button class="button plain" type="button">
            Cancel
          </button>
          <button class="button" type="button" aria-label={`More, ${scheme}`} data-tip="More">
            <Icon name="ellipsis" />
          </button>
          <button class="button danger" type="button">
            <Icon name="trash" />
            Delete
          </button>
          <button class="button danger primary" type="button">
            Delete 3 codes
          </button>
        </p>
      </Sample>
      <Sample name="Menu">
        <Menu text="Download" icon="download" align="start">
          <MenuTitle>For print, sharp at any size</MenuTitle>
          <MenuLink href={path} hint="3 KB">
            SVG
          </MenuLink>
          <MenuDivider />
          <MenuTitle>For screens</MenuTitle>
          <MenuLink href={path} hint="1,024 px">
            PNG
          </MenuLink>
        </Menu>{" "}
        <Menu label={`Actions, ${scheme}`} icon="ellipsis" align="start">
          <MenuLink href={path} icon="pencil" hint="E">
            Edit
          </MenuLink>
          <MenuLink href={path} icon="pause">
            Pause
          </MenuLink>
          <MenuDivider />
          <MenuLink href={path} icon="trash" danger>
            Delete
          </MenuLink>
        </Menu>
      </Sample>
      <Sample name="Segmented control and chips">
        <Segmented
          label={`Range, ${scheme}`}
          items={["7 days", "30 days", "90 days"].map((text, i) => ({ href: path, text, current: i === 1 }))}
        />
        <p class="chips">
          <Chip label="Folder" value="Cafés" removeHref={path} />
          <a class="chip add" href={path}>
            <Icon name="plus" />
            Filter
          </a>
          <span class="tag">menu</span>
          <span class="tag">summer</span>
        </p>
      </Sample>
      <Sample name="Status">
        <p class="buttons">
          <Status kind="active">Active</Status>
          <Status kind="paused">Paused</Status>
          <Status kind="scheduled">Starts 1 Dec</Status>
          <Status kind="ended">Ended 30 Sept</Status>
          <Status kind="bad">Failed</Status>
        </p>
        <p class="buttons">
          <Finder />
          <span class="spinner" />
          <Avatar name="Ana Duarte" />
          <WorkspaceLogo name="Harbour Coffee" logo={null} />
          <WorkspaceLogo name="Harbour Coffee" logo="/favicon.svg" />
          <kbd>Ctrl K</kbd>
        </p>
      </Sample>
      <Sample name="Field">
        <TextField form={form} name={named("name")} label="Name" hint="Visitors never see it." />
        <TextField form={form} name={named("url")} label="Destination" inputMode="url" required />
        <Select
          form={form}
          name={named("folder")}
          label="Folder"
          choices={[
            ["", "None"],
            ["1", "Cafés"],
          ]}
        />
        <Combobox
          form={form}
          name={named("zone")}
          label="Time zone"
          choices={[
            ["UTC", "UTC"],
            ["Europe/Lisbon", "Europe/Lisbon"],
          ]}
        />
        <WordsField form={form} name={named("tags")} label="Tags" source="/dashboard/choices/tags" />
        <TextArea form={form} name={named("text")} label="Message" />
        <ColorField form={form} name={named("color")} label="Modules" />
        <Checkbox form={form} name={named("on")} label="Include bots" />
        <Checkbox form={form} name={named("off")} label="Include deleted codes" />
        <Tiles
          name={named("type")}
          label="Type"
          chosen="url"
          tiles={[
            { value: "url", text: "Link", picture: <Icon name="link" size={20} /> },
            { value: "page", text: "Page", picture: <Icon name="panels-top-left" size={20} /> },
            { value: "vcard", text: "Contact", picture: <Icon name="contact" size={20} />, isLacking: true },
          ]}
        />
      </Sample>
      <Sample name="Designer">
        <Tiles
          name={named("modules")}
          label="Modules"
          chosen="connected"
          isRow
          tiles={(["square", "dots", "connected", "diamond"] as const).map((style) => ({
            value: style,
            text: style,
            picture: <ModulePicture style={style} />,
          }))}
        />
        <Tiles
          name={named("eyes")}
          label="Eyes"
          chosen="leaf"
          isRow
          tiles={(["square", "leaf", "drop"] as const).map((form) => ({
            value: form,
            text: form,
            picture: <EyePicture part="frame" form={form} />,
          }))}
        />
        <Tiles
          name={named("frame")}
          label="Frame"
          chosen=""
          isRow
          tiles={([undefined, "label", "round"] as const).map((style) => ({
            value: style ?? "",
            text: style ?? "none",
            picture: <FramePicture style={style} />,
          }))}
        />
        <Tiles
          name={named("level")}
          label="Error correction"
          chosen="M"
          tiles={["L", "M", "Q"].map((value) => ({ value, text: value }))}
        />
        <ColorChips
          name={named("color")}
          label={`Modules, ${scheme}`}
          colors={[
            { hex: "#0f5c4d", name: "Forest" },
            { hex: "#b45309", name: null },
          ]}
        />
        <Score rating={{ kind: "measured", facts, measured: scannability(92) }} again={{}} />
        <Checks rating={{ kind: "measured", facts, measured: scannability(92) }} />
        <Score rating={{ kind: "measured", facts, measured: scannability(41) }} again={{}} />
        <Checks rating={{ kind: "measured", facts, measured: scannability(41) }} />
      </Sample>
      <Sample name="Notice and toast">
        <Notice kind="bad">
          <p>Two fields need a fix.</p>
        </Notice>
        <Notice kind="warn">
          <p>Paused since 4 Nov. Visitors see a page that says so.</p>
        </Notice>
        <Notice kind="good">
          <p>285 codes created.</p>
        </Notice>
        <Notice kind="info">
          <p>Days and hours are those of Europe/Lisbon.</p>
        </Notice>
        <div class="toast">
          <p>Summer menu paused</p>
          <button class="button" type="button">
            Undo
          </button>
        </div>
      </Sample>
      <Sample name="Progress, skeleton, figures">
        <p>Creating 285 codes</p>
        <Modules value={176} max={285} label={`Codes created, ${scheme}`} kind="running" />
        <p>1,284 of 5,000 codes</p>
        <Modules value={1284} max={5000} label={`Codes used, ${scheme}`} />
        <p>25 of 25 codes</p>
        <Modules value={25} max={25} label={`Codes used up, ${scheme}`} />
        <p>
          <span class="skeleton" />
        </p>
        <Figures
          items={[
            ["Scans", "7,411"],
            ["Visitors", "4,765"],
          ]}
        />
        <Facts
          items={[
            ["Type", "Link"],
            ["Folder", "Cafés"],
          ]}
        />
      </Sample>
      <Sample name="Stepper, dropzone">
        <Stepper label={`Import, ${scheme}`} steps={["File", "Check", "Create"]} current={1} />
        <Stepper label={`Erasure, ${scheme}`} steps={["Codes", "Pages", "Files"]} current={1} isList />
        <Stepper label={`Import done, ${scheme}`} steps={["File", "Check", "Create"]} current={3} />
        <Dropzone
          form={form}
          name={named("file")}
          label="Drop a file here or choose one"
          hint="CSV or tab-separated text"
          accept=".csv"
        />
        <Dropzone
          form={{ ...form, problems: { [named("large")]: "The file can have at most 4,096 KiB." } }}
          name={named("large")}
          label="File"
          accept=".csv"
        />
      </Sample>
      <Sample name="Code">
        <CodeBlock
          label={`the request, ${scheme}`}
          language={<span>curl</span>}
          text={'curl https://go.harbour.example/api/v1/qr \\\n  -H "Authorization: Bearer $KEY"'}
        />
      </Sample>
      <Sample name="Table">
        <Table
          rows={[
            { name: "Posters", codes: 214, created: "12 Mar 2026" },
            { name: "Menus", codes: 1, created: "2 Jan 2026" },
          ]}
          columns={[
            { head: "Folder", sorted: "descending", cell: ({ name }) => name },
            { head: "Codes", kind: "number", unit: () => "codes", cell: ({ codes }) => codes },
            { head: "Created", kind: "quiet", name: "Created", cell: ({ created }) => created },
          ]}
          actions={({ name }) => (
            <Menu
              label={`Actions for ${name}, ${scheme}`}
              tip="Actions"
              icon="ellipsis"
              button="button plain"
            >
              <MenuLink href={path} icon="pencil">
                Rename
              </MenuLink>
            </Menu>
          )}
        />
      </Sample>
      <Sample name="Range">
        <DateRange
          path={path}
          view={readView(new URLSearchParams())}
          from="2026-06-01"
          to="2026-06-30"
          today={parseDay("2026-06-30")}
        />
      </Sample>
      <Sample name="Findings">
        <div class="section-head">
          <h2>Needs care</h2>
          <a href={path}>All checks</a>
        </div>
        <Findings findings={findings} />
      </Sample>
      <Sample name="Empty state">
        <Empty title="No codes yet" text="Create one, or import a spreadsheet with up to 10,000.">
          <a class="button" href={path}>
            New code
          </a>
        </Empty>
      </Sample>
      <Sample name="Type">
        <p class="figure">7,411</p>
        <p class="lead">No codes yet</p>
        <p class="section-title">Top codes</p>
        <p>Where a scan leads. Żółć, İstanbul, Škoda.</p>
        <p class="small">214 of 1,284 codes</p>
        <p class="caption">Smallest print size</p>
        <p class="address">go.harbour.example/summer-menu</p>
      </Sample>
      <Sample name="Colour">
        <ul class="swatches">
          {colors.map((name) => (
            <li>
              <svg class="swatch" aria-hidden="true">
                <rect width="100%" height="100%" fill={`var(--${name})`} />
              </svg>
              <span class="caption">{name}</span>
            </li>
          ))}
        </ul>
      </Sample>
      <Sample name="Icons">
        <ul class="swatches icons">
          {Object.keys(icons).map((name) => (
            <li>
              <Icon name={name as IconName} size={20} />
              <span class="caption quiet">{name}</span>
            </li>
          ))}
        </ul>
      </Sample>
    </div>
  );
}
