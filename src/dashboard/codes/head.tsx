import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/qr.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import type { ListedFolder } from "../../domain/folders/folders.ts";
import { routeTarget } from "../../domain/routing/route-target.ts";
import { tagTarget } from "../../domain/routing/utm.ts";
import { Head } from "../components/head.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu, MenuDivider, MenuLink, MenuTitle } from "../components/menu.tsx";
import { Views } from "../components/views.tsx";
import { codeImageAddress } from "./form/types.ts";
import { folderAddress } from "./list/search.ts";
import { CodeActions } from "./menu.tsx";
import { CodeStatus } from "./status.tsx";
import { tintClasses } from "./tint.ts";
import { May } from "../frame/may.tsx";

interface Props {
  readonly qr: Qr;
  readonly folder: ListedFolder | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly current: "figures" | "scans" | "history";
  /** Recent activity, which phones show before the image. */
  readonly activity: Child;
  readonly facts: readonly (readonly [name: string, value: Child | null])[];
}

/** The head of a code's pages, in the code's own colour: what it is, where it leads, and its actions. */
export function CodeHead({ qr, folder, now, timeZone, current, activity, facts }: Props) {
  const page = `/dashboard/codes/${qr.id}`;
  return (
    <header class={`code-head ${tintClasses(qr.colorConfig?.dotsColor)}`}>
      <Head
        title={codeTitle(qr)}
        back={
          folder === undefined
            ? { path: "/dashboard/codes", name: "Codes" }
            : { path: folderAddress(folder), name: folder.name }
        }
        beside={<CodeStatus qr={qr} now={now} timeZone={timeZone} />}
      >
        <Downloads qr={qr} />
        <May permission="codes.write">
          <a class="button" href={`${page}/edit`}>
            <Icon name="pencil" />
            Edit
          </a>
        </May>
        <Menu label="More actions" icon="ellipsis">
          <CodeActions qr={qr}>
            <May permission="codes.write">
              <MenuLink href={`${page}/share`} icon="share-2">
                Share report
              </MenuLink>
            </May>
            <MenuLink href={`${page}/test`} icon="scan-line">
              Test
            </MenuLink>
          </CodeActions>
        </Menu>
      </Head>
      <div class="about">
        <img
          class="picture"
          src={codeImageAddress(qr)}
          alt={`QR code for ${qr.scanUrl}`}
          width="196"
          height="196"
        />
        <div class="texts">
          {activity}
          <ShortLink qr={qr} />
          <Leads qr={qr} />
          <dl class="head-facts">
            {facts
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </div>
      </div>
      <Views
        label="Views of the code"
        views={[
          [page, "Figures"],
          [`${page}/scans`, "Scan log"],
          [`${page}/history`, "History"],
        ]}
        current={current === "figures" ? page : `${page}/${current}`}
      />
    </header>
  );
}

/** Side lengths of the images for screens, in pixels. */
const sizes = [512, 1024, 2048] as const;

function Downloads({ qr }: { qr: Qr }) {
  const file = `/dashboard/codes/${qr.id}/image`;
  return (
    <Menu text="Download" icon="download" button="button primary">
      <MenuTitle>For print, sharp at any size</MenuTitle>
      <MenuLink href={`${file}?format=svg&download`} download="">
        SVG
      </MenuLink>
      <MenuLink href={`${file}?format=pdf&download`} download="">
        PDF
      </MenuLink>
      <MenuLink href={`/dashboard/print?id=${qr.id}`}>Labels</MenuLink>
      <MenuDivider />
      <MenuTitle>For screens</MenuTitle>
      {sizes.map((size) => (
        <MenuLink href={`${file}?format=png&size=${size}&download`} download="">
          PNG, {size} px
        </MenuLink>
      ))}
    </Menu>
  );
}

/** The address in the image, to read and to copy. */
function ShortLink({ qr }: { qr: Qr }) {
  const { host } = new URL(qr.scanUrl);
  return (
    <div class="short-link">
      <span class="visually-hidden">Short link</span>
      <a class="address" href={qr.scanUrl} target="_blank" rel="noopener" title={qr.scanUrl}>
        <span class="quiet">{host}/</span>
        {qr.hash}
      </a>
      <button
        class="button plain"
        type="button"
        data-copy={qr.scanUrl}
        data-copied="Copied"
        data-script=""
        hidden
      >
        <Icon name="copy" />
        Copy
      </button>
    </div>
  );
}

/** The address that a scan opens, including campaign parameters. */
function Leads({ qr }: { qr: Qr }) {
  const { destination } = tagTarget(routeTarget(qr.data), qr.utm);
  if (!/^https?:/.test(destination)) return null;
  return (
    <p class="leads">
      <Icon name="corner-down-right" />
      <a class="address" href={destination} rel="noreferrer">
        {destination}
      </a>
    </p>
  );
}
