/** Finds the history of a kind. Codes have nearly all entries, so theirs are found without it and cost nothing more. */
export const historyOfKinds = `
CREATE INDEX history_of_kind ON history (object_kind, id) WHERE object_kind <> 'code';
`;
