export interface Benchmark {
  /** Of its section in results.md. */
  readonly title: string;
  /**
   * Runs it and ends whatever it started.
   * @param smoke whether to run for seconds only, to show that it works; its figures then mean nothing
   * @returns its section's Markdown
   */
  run(options: { readonly smoke: boolean }): Promise<string>;
}
