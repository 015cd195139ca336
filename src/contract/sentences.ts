/**
 * Joins a field and its problem into a sentence.
 * @param problem words that follow the field's name, such as `can't be empty`; sentences with advice may follow
 */
export const asSentence = (field: string, problem: string): string => withFullStop(`${field} ${problem}`);

/** Ends a text as a sentence, unless it does already. */
export const withFullStop = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);
