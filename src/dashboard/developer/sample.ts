/** A program in a language. */
export interface Sample {
  readonly language: string;
  readonly text: string;
}
