import type { PropsWithChildren } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { ScanEvent } from "../../contract/resources/scans/scans.ts";
import { destinationText } from "../../domain/codes/titles.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { type LatestScans, latestScans } from "../../domain/scans/list.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { Finder } from "../../ui/finder.tsx";
import { FormKey } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Icon } from "../../ui/icon.tsx";
import { describeScan } from "../../ui/report/labels.ts";
import { type Progress, StepMark } from "../../ui/stepper.tsx";
import { CodeImage } from "../../ui/values/code-image.tsx";
import { formatInstant } from "../../ui/values/format.ts";
import type { DashboardRequest } from "../frame/request.ts";

const path = "/dashboard/first-steps";
const title = "first-steps-title";

interface FirstFormProps {
  readonly form: FormState;
  readonly name: string | null;
  /** Where the example company is. */
  readonly example: string;
}

/** The first step: a form for the first code. */
export const FirstForm = ({ form, name, example }: FirstFormProps) => (
  <section class="first-steps" aria-labelledby={title}>
    <h2 class="lead" id={title}>
      {name === null ? "Welcome" : `Welcome, ${name}`}
    </h2>
    <p class="quiet">Three steps to a code that works.</p>
    <ol class="plain steps">
      <Step progress="current" name="Create a code">
        <Problems form={form} labels={{ "data.url": "Destination" }} />
        <PostForm action={path}>
          <TextField
            form={form}
            name="data.url"
            label="Destination"
            hint="Where a scan leads. You can change it at any time, even once the code is printed."
            placeholder="example.com/menu"
            inputMode="url"
            required
          />
          <FormKey value={form.values.get("key")} />
          <div class="buttons">
            <button class="button primary" type="submit">
              Create code
            </button>
            <a class="button plain" href="/dashboard/codes/new">
              More types and designs
            </a>
            <a class="button plain" href={example} hx-boost="false">
              Explore the example
            </a>
          </div>
        </PostForm>
      </Step>
      <Step progress="upcoming" name="Scan it">
        <p class="quiet">The scan shows up here within two seconds.</p>
      </Step>
      <Step progress="upcoming" name="Download the image">
        <p class="quiet">SVG for print, PNG for screens.</p>
      </Step>
    </ol>
  </section>
);

interface Props {
  readonly request: DashboardRequest;
  readonly qr: Qr;
  readonly isDownloaded: boolean;
}

/** The steps after the first code was created. With scripts, they are ticked off on the page. */
export async function FirstSteps({ request, qr, isDownloaded }: Props) {
  const [scans, timeZone] = await Promise.all([
    ifAvailable(request.deps, () => latestScans(request.deps, request.context, qr.id, 1)),
    request.timeZone(),
  ]);
  const isScanned = scans !== null && scans.stats.total > 0;
  const current = isScanned ? (isDownloaded ? 3 : 2) : 1;
  const progressOf = (step: number, isDone: boolean): Progress =>
    isDone ? "done" : step === current ? "current" : "upcoming";
  const query = `?code=${qr.id}`;
  return (
    <section
      class="first-steps"
      id="first-steps"
      aria-labelledby={title}
      data-live={
        isScanned || scans === null
          ? undefined
          : `/api/v1/developer/qr/${qr.id}/scans/live?after=${scans.latest}`
      }
    >
      <div class="section-head">
        <h2 class="lead" id={title}>
          {current === 3 ? "Your first code is ready" : "Your first code"}
        </h2>
        {current < 3 && isScanned && (
          <PostForm action={`${path}/hide`}>
            <button class="button plain" type="submit">
              Hide
            </button>
          </PostForm>
        )}
      </div>
      <ol class="plain steps">
        <Step progress="done" name="Create a code">
          <Created qr={qr} />
        </Step>
        <Step progress={progressOf(1, isScanned)} name="Scan it">
          {isScanned ? <Scanned scans={scans} timeZone={timeZone} /> : <ToScan qr={qr} />}
        </Step>
        <Step progress={progressOf(2, isDownloaded)} name="Download the image">
          {isDownloaded ? (
            <p class="quiet">Put it on anything. Its destination can still change.</p>
          ) : (
            <Downloads query={query} isCurrent={current === 2} />
          )}
        </Step>
      </ol>
      {current === 3 && (
        <div class="buttons">
          <a class="button primary" href="/dashboard">
            Show report
          </a>
          <a class="button" href={`/dashboard/codes/${qr.id}`}>
            Open code
          </a>
        </div>
      )}
      {/* Separate from the section, whose links would inherit their attributes. */}
      <Renewal address={path + query} event="scanned" />
      <Renewal address={`${path + query}&downloaded`} event="downloaded" />
    </section>
  );
}

/** Requests the steps again at an event. */
const Renewal = ({ address, event }: { address: string; event: "scanned" | "downloaded" }) => (
  <div
    data-renewal={event}
    hx-get={address}
    hx-trigger={event}
    hx-target="#first-steps"
    hx-swap="outerHTML"
    hx-indicator="this"
  />
);

function Step({ progress, name, children }: PropsWithChildren<{ progress: Progress; name: string }>) {
  return (
    <li class={progress} aria-current={progress === "current" ? "step" : undefined}>
      <StepMark progress={progress} />
      <div>
        <h3>
          {name}
          {progress === "done" && <span class="visually-hidden">, done</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

function Created({ qr }: { qr: Qr }) {
  return (
    <p class="quiet">
      <a class="address" href={`/dashboard/codes/${qr.id}`}>
        {withoutScheme(qr.scanUrl)}
      </a>{" "}
      leads to <span class="address">{destinationText(qr.data)}</span>
    </p>
  );
}

function ToScan({ qr }: { qr: Qr }) {
  return (
    <div class="to-scan">
      <CodeImage qr={qr} size={160} alt={`QR code for ${qr.scanUrl}`} />
      <div>
        <p>
          {isLoopback(qr.scanUrl)
            ? "A phone can't reach this computer's localhost. Open the short link here instead: that counts as a scan."
            : "Scan the code with your phone's camera, or open its short link."}
        </p>
        <p>
          <a class="button primary" href={qr.scanUrl} target="_blank" rel="noopener">
            Open short link
          </a>
        </p>
        <p class="waiting small">
          <Finder />
          <span data-waiting="">
            The scan shows up here within two seconds. <a href="/dashboard">Reload the page</a> to see it.
          </span>
        </p>
      </div>
    </div>
  );
}

function Scanned({ scans, timeZone }: { scans: LatestScans; timeZone: string }) {
  const [event] = scans.events;
  return <p class="quiet">{event === undefined ? "Scanned." : sentenceOf(event, timeZone)}</p>;
}

const sentenceOf = (event: ScanEvent, timeZone: string): string =>
  `Last scan ${formatInstant(event.scannedAt, timeZone)}: ${describeScan(event)}`;

function Downloads({ query, isCurrent }: { query: string; isCurrent: boolean }) {
  const button = isCurrent ? "button primary" : "button";
  return (
    <>
      <p class="quiet">SVG for print, PNG for screens.</p>
      <div class="buttons">
        <a class={button} href={`${path}/image${query}&format=svg`} download="" data-downloaded="">
          <Icon name="download" />
          Download SVG
        </a>
        <a class="button" href={`${path}/image${query}&format=png`} download="" data-downloaded="">
          <Icon name="download" />
          Download PNG
        </a>
      </div>
    </>
  );
}
