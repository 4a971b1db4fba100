/**
 * A sentence of the console's server, with `{name}`s for what changes in it; the catalogues have it under this text.
 * `{given}` is a space and the value that somebody gave, or nothing.
 */
export const serverSaid = (sentence: string): string => sentence
