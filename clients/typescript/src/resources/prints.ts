import type { Download } from "../download.ts";
import { finished } from "../jobs.ts";
import type { Transport } from "../transport.ts";
import type {
  CreateOptions,
  Deleted,
  ImagesInput,
  ImagesJobInput,
  LabelsInput,
  LabelsJobInput,
  PrintJob,
  RequestOptions,
} from "../types.ts";

/** Labels and images of many codes, at once or by a job. */
export class Prints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Prints labels as PDF. */
  labels(input: LabelsInput, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("printLabels", { body: input }, options);
  }

  /** Draws the images of codes, as ZIP. */
  images(input: ImagesInput, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("archiveImages", { body: input }, options);
  }

  /** Begins a job that prints labels of many codes. */
  startLabels(input: LabelsJobInput, options?: CreateOptions): Promise<PrintJob> {
    return this.#transport.json("createLabelJob", { body: input }, options);
  }

  /** Begins a job that draws the images of many codes. */
  startImages(input: ImagesJobInput, options?: CreateOptions): Promise<PrintJob> {
    return this.#transport.json("createImageJob", { body: input }, options);
  }

  /** Returns a job with its progress. */
  get(jobId: string, options?: RequestOptions): Promise<PrintJob> {
    return this.#transport.json("getPrintJob", { path: { jobId } }, options);
  }

  /** Waits for the end of a job, with growing pauses. */
  wait(
    jobId: string,
    options: RequestOptions & { onProgress?: ((job: PrintJob) => void) | undefined } = {},
  ): Promise<PrintJob> {
    return finished(() => this.get(jobId, options), options);
  }

  /** Downloads the ZIP of a completed job, for a day. */
  download(jobId: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("downloadPrintJob", { path: { jobId } }, options);
  }

  /** Cancels a job, or removes its file. */
  delete(jobId: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deletePrintJob", { path: { jobId } }, options);
  }
}
