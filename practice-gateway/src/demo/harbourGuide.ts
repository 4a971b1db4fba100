import type { DemoStep } from "./steps.ts"

const FACTS = `- The harbour has 64 berths, 12 of them for guests.
- The lighthouse was built in 1889 and shines 21 sea miles far.
- Fuel, water and bread are on the east quay.`

const TIDES = `| Day | High water | Low water |
|---|---|---|
| Saturday | 06:10 and 18:34 | 00:02 and 12:21 |
| Sunday | 06:52 and 19:15 | 00:45 and 13:03 |`

const FIRST_PAGE = `# Welcome to the harbour

Twelve berths wait for guests, and the light shows you the way from 21 sea miles off. This weekend come in around **06:30** or **18:50**, when the water is high.`

/** A step of the guide: its card's title, what the card says, and how the agent works on it. */
interface GuideWork {
  readonly title: string
  readonly description: string
  readonly command: string
  readonly result: string
}

/** The agent's cards, each after those before it; the last one waits for a card of a person, too. */
export const HARBOUR_GUIDE = [
  {
    title: "Collect the harbour's facts",
    description: "Berths, the light, supplies. Three lines are enough.",
    command: "cat harbour/facts.md",
    result: FACTS
  },
  {
    title: "Draw up the tide table",
    description: "For this weekend, as a table.",
    command: "tides --place harbour --days 2",
    result: TIDES
  },
  {
    title: "Write the guide's first page",
    description: "With the facts and the tides that the cards before this one hand over.",
    command: "wc -w guide/page-1.md",
    result: FIRST_PAGE
  },
  {
    title: "Order the print run",
    description: "200 copies, with the quote.",
    command: "mail printer@harbour.example < order.txt",
    result: "Ordered: 200 copies of the guide's first page, or rather, this demo pretended to order them."
  }
] as const satisfies ReadonlyArray<GuideWork>

/** What the agent does on a card of the guide; undefined for any other message. The card's own title comes first. */
export const guideSteps = (text: string): ReadonlyArray<DemoStep> | undefined => {
  const found = HARBOUR_GUIDE.map((work) => ({ work, at: text.indexOf(work.title) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at)[0]?.work
  if (found === undefined) return undefined
  const { command, result } = found
  return [
    { type: "tool", name: "exec", args: { command }, meta: command, result: "ok", runMs: 3000 },
    { type: "text", text: result }
  ]
}
