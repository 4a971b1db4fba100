/** The first message in the demo's main session. */
export const WELCOME_TEXT = `# Welcome to Agent Console

This is a **demo**: I'm a small scripted agent that lives inside the console. Nothing you write here leaves your computer, and conversations are gone when you stop it.

Three things to try first:

1. Write a sentence and watch the answer stream in. Press **Stop** at any moment.
2. Ask me for a *table*, a *chart*, a *tool* or a *task*: each shows a different part of the console.
3. Start a new session and come back: every conversation keeps its place.

Type **help** for everything I can do. When you're ready for a real agent, start the console with your gateway's address and token; everything you see here works the same way.`

/** What the agent understands. */
export const HELP_TEXT = `Here is what I can show you. Use one of these words in a message:

| Word | What happens |
|---|---|
| \`markdown\`, \`table\`, \`code\` | headings, a list, a table and highlighted code |
| \`think\` | my reasoning before the answer |
| \`tool\` | a tool call with its arguments and its result |
| \`many tools\`, \`edit\` | several tool calls and a file edit |
| \`approve\` | a command that waits for your permission |
| \`ask\`, \`ask me more\` | a question for you, or three at once, with answers to choose from |
| \`secret\` | a key that goes to the gateway and that I never see |
| \`chart\` | a bar chart and a line chart |
| \`diagram\`, \`formula\` | a diagram, and formulas between sentences |
| \`page\` | a small page to look at beside our conversation |
| \`picture\` | a picture from me |
| \`task\` | a proposal for your task board |
| \`speak\` | a sentence marked to be read aloud |
| \`spawn\` | a helper agent in its own session |
| \`slow\` | a steady answer of about twenty seconds |
| \`long\` | a story of several thousand words |
| \`fail\`, \`rate limit\` | a turn that ends in an error |
| \`hang\` | a turn that waits for **Stop** |

Send an **image** and I'll tell you what arrived. The commands \`/status\`, \`/model demo/swift\`, \`/think high\` and \`/new\` work too.`

/** Every kind of formatting the console supports. */
export const MARKDOWN_TEXT = `## A little of everything

Markdown is rendered while it streams. Here is some **bold**, some *italic*, some \`inline code\`, and a [link](https://example.com).

\`\`\`ts
interface Greeting {
  readonly name: string
}

const greet = ({ name }: Greeting): string => \`Hello, \${name}!\`

console.log(greet({ name: "console" }))
\`\`\`

| Part | Where it is | Try it |
|---|---|---|
| Composer | below | write something |
| Sessions | in the side bar | start a new one |
| Colours | under the sessions | choose dark |

- Lists work too
  - and can be nested
- [x] checked items
- [ ] and open ones

> A quotation, to round it off.`

/** About twenty seconds at 100 ms a token. */
export const SLOW_TEXT = Array.from(
  { length: 14 },
  (_, index) => `Step ${index + 1}: I take a breath, look at the clock, and write the next calm sentence for you. `
).join("")

const SCENES = [
  "The harbour woke before the town did. Ropes creaked, gulls argued about breakfast, and the first boat slid out through water as flat as a table.",
  "In the workshop above the quay, Mira sharpened three pencils, lined them up by length, and opened the notebook in which she kept everything that might matter later.",
  "She had one rule: write down what happened, then what it meant, and only then what to do. Most trouble, she had found, came from doing it the other way round.",
  "At noon the letter arrived. It was short, it was kind, and it asked for something nobody had built before: a lamp that could tell ships how far away they were.",
  "So she began with what she knew. Light spreads, glass bends it, and patience costs nothing but time. By evening the table was covered with drawings.",
  "The first lamp flickered. The second smoked. The third shone so brightly that the baker came running to ask whether the sun had changed its mind.",
  "Her neighbours brought advice, soup, and a ladder. Some of the advice was good; all of the soup was. The ladder turned out to be exactly what was missing.",
  "When the fog came in that night, thick as wool, three boats found the harbour by her light alone, and each captain swore it had winked at him."
]

/** A story of several thousand words. */
export const LONG_CHAPTERS = `# The lamp at the end of the quay\n\n${Array.from(
  { length: 16 },
  (_, chapter) =>
    `## Chapter ${chapter + 1}\n\n${SCENES.map((_, index) => SCENES[(index + chapter) % SCENES.length] ?? "").join("\n\n")}`
).join("\n\n")}\n\n*The end.*`
