export interface Benchmark {
  /** The title of its section in results.md. */
  readonly title: string;
  /**
   * Runs it, and ends all processes it started.
   * @param smoke whether to run for only a few seconds, to show that it works; the figures are then meaningless
   * @returns the Markdown of its section
   */
  run(options: { readonly smoke: boolean }): Promise<string>;
}
