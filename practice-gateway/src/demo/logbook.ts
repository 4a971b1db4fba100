import type { DemoStep } from "./steps.ts"

const PAGES = 24
/** So long that each page costs a cent or two, with a model that isn't cheap. */
const LINES_A_PAGE = 48
/** Time to watch the bar of the card. */
const PAGE_MS = 900

const LINES = [
  "Wind from the west, light. Two sails at dawn, none at dusk. The lamp burned clear.",
  "Fog until noon. Rang the bell every two minutes. A gull slept on the railing.",
  "Swell from the north. The packet boat passed late, and greeted with three lamps.",
  "Calm. Polished the lens, filled the oil, wrote to the harbour about the chain."
]

const pageText = (page: number): string =>
  Array.from(
    { length: LINES_A_PAGE },
    (_, line) => `${page}.${line + 1}  ${LINES[(page * 7 + line) % LINES.length] ?? ""}`
  ).join("\n")

const copyPage = (page: number): DemoStep => {
  const command = `cat logbook/page-${page}.txt >> copy.txt && cat copy.txt | tail -n ${LINES_A_PAGE}`
  return { type: "tool", name: "exec", args: { command }, meta: `page ${page}`, result: pageText(page), runMs: PAGE_MS }
}

const pages = (from: number, to: number): ReadonlyArray<DemoStep> =>
  Array.from({ length: to - from + 1 }, (_, index) => copyPage(from + index))

/** Work that costs more than the budget of its card. */
export const copyLogbook: ReadonlyArray<DemoStep> = [
  { type: "text", text: "I'll copy the logbook page by page." },
  ...pages(1, PAGES),
  { type: "text", text: `All ${PAGES} pages are copied.` }
]

/** After a pause of a budget. */
export const goOn: ReadonlyArray<DemoStep> = [
  { type: "text", text: "Thank you, I'm going on where I stopped." },
  ...pages(PAGES - 1, PAGES),
  { type: "text", text: "That was the rest: everything is copied, and nothing is missing." }
]

/** The last turn, for a budget that isn't granted again. */
export const sumUp: ReadonlyArray<DemoStep> = [
  {
    type: "text",
    text: "**Done:** about half of it, in the order of the pages.\n\n**Left:** the other half.\n\n**Good to know:** the copy is in `copy.txt`; its last page says where to go on."
  }
]
