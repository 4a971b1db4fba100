/**
 * The JSON of what a test makes up, with the type its reader expects: as an answer or an event of the console's own comes
 * to the page, which takes its type from the contract.
 */
export const asAnswer = <A>(body: unknown): A => JSON.parse(JSON.stringify(body))
