import { DateTime } from "effect"

const AGENTS = `# How this agent works

- Answer in plain words, short first, details after.
- Say what you are about to do before you use a tool.
- Ask before anything is deleted, sent or paid for.
- Keep what is worth remembering in MEMORY.md, and what happened in the day's file.
`

const SOUL = `# Character

Friendly, curious, and honest about being a demo. Prefers one good sentence to three careful ones.
`

const USER = `# The person I work for

Somebody who is looking at Agent Console for the first time: give short answers, and show instead of telling.
`

const TOOLS = `# Tools

The demo has one pretend tool, \`exec\`. It never runs anything.
`

const MEMORY = `# Memory

## Preferences
- Likes short answers
- Works best in the morning
- Times in 24 hours, prices in euros

## People
- Mira keeps the lamp and answers letters on Mondays
- The printer is called Ansel; he is on holiday until the 4th

## Projects
- Trying out Agent Console
- The spring newsletter, which goes out on the first of March
- A lamp that tells ships how far away they are
`

const journal = (date: string) => `# ${date}

## Demo
- Started the demo and had a look around

## Harbour
- Counted last week's boats: 28, five more than the week before
`

const EARLIER = [
  `## Lamp
- The new glass has arrived; the old one goes to the museum
- Measured the angle again: 2.4 degrees

## Letters
- Answered the museum, and thanked the baker for the ladder
`,
  `## Newsletter
- Asked Ansel for a quote: 400 copies, two colours
- Ten readers have written back already
`
]

const earlierJournals = (date: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    EARLIER.map((text, index) => {
      const day = DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(date), { days: -1 - index }))
      return [`workspace/memory/${day}.md`, `# ${day}\n\n${text}`]
    })
  )

const PLAN = `# Plan for the lamp

| Step | Done |
|---|---|
| Draw it | yes |
| Cut the glass | yes |
| Light it | not yet |

- [x] Ask the baker for a ladder
- [ ] Wait for fog
`

const DISTANCE = `// How far away a ship is, from the angle of its light.

export const distanceInMetres = (heightInMetres: number, angleInDegrees: number): number =>
  heightInMetres / Math.tan((angleInDegrees * Math.PI) / 180)
`

const WEEK = `{
  "week": 47,
  "boats": [3, 5, 2, 8, 6, 0, 4],
  "fog": { "nights": 2, "longest": "5 h" }
}
`

const LAMP = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="640" height="400">
  <rect width="320" height="200" fill="#12343b" />
  <circle cx="242" cy="46" r="18" fill="#f4e9c9" />
  <path d="M0 150 Q40 140 80 150 T160 150 T240 150 T320 150 V200 H0 Z" fill="#0b665a" />
  <path d="M60 150 L70 70 H90 L100 150 Z" fill="#fbfaf7" />
  <rect x="66" y="56" width="28" height="16" rx="3" fill="#f0be6a" />
  <path d="M94 60 L250 20 V108 L94 70 Z" fill="#f0be6a" opacity="0.25" />
  <path d="M180 146 h54 l-10 14 h-34 Z" fill="#a8261c" />
</svg>
`

const CODER_SOUL = `# Character

Careful and brief. Shows a change before making it.
`

const CODER_AGENTS = `# How this agent works

- Read the code around a change first.
- One change at a time, each with its test.
`

const CODER_MEMORY = `# Memory

## Conventions
- Small functions, plain names
- Tests stand beside what they test

## Projects
- The lamp's controller, in \`lamp.ts\`
`

const LAMP_CONTROLLER = `/** Seconds the lamp stays dark between two flashes. */
export const pause = (fog: boolean): number => (fog ? 2 : 5)
`

/** The demo's agents besides the default one. */
export const DEMO_AGENTS = [{ id: "coder", name: "Coder" }] as const

/** The demo workspaces' initial files, by path below the gateway's folder; `date` is today's, as `YYYY-MM-DD`. */
export const demoFiles = (date: string): Readonly<Record<string, string>> => ({
  "workspace/AGENTS.md": AGENTS,
  "workspace/SOUL.md": SOUL,
  "workspace/USER.md": USER,
  "workspace/TOOLS.md": TOOLS,
  "workspace/MEMORY.md": MEMORY,
  [`workspace/memory/${date}.md`]: journal(date),
  ...earlierJournals(date),
  "workspace/lamp/plan.md": PLAN,
  "workspace/lamp/distance.ts": DISTANCE,
  "workspace/lamp/week.json": WEEK,
  "workspace/lamp/picture.svg": LAMP,
  "workspace-coder/AGENTS.md": CODER_AGENTS,
  "workspace-coder/SOUL.md": CODER_SOUL,
  "workspace-coder/MEMORY.md": CODER_MEMORY,
  "workspace-coder/lamp.ts": LAMP_CONTROLLER
})

/** The demo agent's log so far; `now` is in epoch milliseconds. */
export const demoLog = (now: number): ReadonlyArray<object> => [
  {
    ts: now - 5_400_000,
    type: "memory",
    level: "info",
    message: "Remembered: the new glass for the lamp has arrived"
  },
  {
    ts: now - 3_600_000,
    type: "tool",
    level: "info",
    message: "exec: counted the boats in the harbour",
    data: { command: "count-boats --since monday", boats: 28, tookMs: 412 }
  },
  { ts: now - 3_540_000, type: "tool", level: "warn", message: "The fog report is two days old; used it anyway" },
  { ts: now - 1_200_000, type: "run", level: "error", message: "The lamp didn't respond within 30 s; will try again" }
]
