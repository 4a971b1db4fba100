import { DEMO_PICTURE } from "./demoPicture.ts"
import { HELP_TEXT, LONG_CHAPTERS, MARKDOWN_TEXT, SLOW_TEXT, WELCOME_TEXT } from "./demoTexts.ts"
import { DIAGRAM_TEXT, FORMULA_TEXT, PAGE_TEXT } from "./drawnTexts.ts"
import { guideSteps } from "./harbourGuide.ts"
import { copyLogbook, goOn, sumUp } from "./logbook.ts"
import { oneQuestion, patientQuestion, secretQuestion, shortQuestion, threeQuestions } from "./questions.ts"
import type { DemoPrompt, DemoStep } from "./steps.ts"

const text = (value: string, tokenMs?: number): DemoStep =>
  tokenMs === undefined ? { type: "text", text: value } : { type: "text", text: value, tokenMs }

const MAX_ECHO = 400

const quoted = (value: string) => {
  const line = value.trim().replace(/\s+/g, " ")
  return line.length <= MAX_ECHO ? line : `${line.slice(0, MAX_ECHO)}…`
}

const size = (bytes: number) => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`)

const barChart = JSON.stringify({
  type: "bar",
  title: "Cups of coffee this week",
  data: { labels: ["Mon", "Tue", "Wed", "Thu", "Fri"], values: [3, 2, 4, 3, 5] }
})

const lineChart = JSON.stringify({
  type: "line",
  title: "Build time in seconds",
  data: {
    labels: ["v1", "v2", "v3", "v4", "v5"],
    series: [
      { name: "Cold", values: [42, 38, 31, 24, 19] },
      { name: "Warm", values: [12, 11, 9, 7, 6] }
    ]
  }
})

const taskMarker = JSON.stringify({
  title: "Try the task board",
  description: "Accept this card and it stays on your board until an agent works on it.",
  priority: "normal",
  labels: ["demo"]
})

const thinking: DemoStep = {
  type: "thinking",
  text: "The person wants to see how I reason. I'll make a small plan first: name the goal, list two options, compare them, and choose the simpler one. Then I'll say it in one clear sentence."
}

interface Rule {
  readonly word: RegExp
  readonly steps: (prompt: DemoPrompt) => ReadonlyArray<DemoStep>
}

const RULES: ReadonlyArray<Rule> = [
  {
    word: /^\/(new|reset)\b/,
    steps: () => [text("A fresh page. What shall we look at? Type **help** for everything I can show you.")]
  },
  { word: /^Your work was paused because its budget was used up/, steps: () => goOn },
  { word: /^The budget for this work is used up\. Sum up/, steps: () => sumUp },
  { word: /\bcopy the lighthouse's logbook\b/i, steps: () => copyLogbook },
  { word: /\bhelp\b|what can you do/i, steps: () => [text(HELP_TEXT)] },
  {
    word: /\bspawn\b/i,
    steps: () => [
      text("I'm handing this to a helper. It has its own session; you'll find it under this one in the list."),
      {
        type: "spawn",
        task: "Collect three pleasant facts about lighthouses and report back.",
        label: "Lighthouse facts"
      },
      text("The helper is on its way. I'll tell you when it's back.")
    ]
  },
  { word: /\bhang\b/i, steps: () => [text("I will now wait until you press Stop …"), { type: "hang" }] },
  { word: /\bfail\b/i, steps: () => [{ type: "fail" }] },
  { word: /\brate limit\b/i, steps: () => [{ type: "fail", reason: "rate_limit" }] },
  { word: /\bslow\b/i, steps: () => [text(SLOW_TEXT, 100)] },
  { word: /\blong\b/i, steps: () => [text(LONG_CHAPTERS, 3)] },
  { word: /\bmarkdown\b|\btable\b|\bcode\b/i, steps: () => [text(MARKDOWN_TEXT)] },
  { word: /\bdiagrams?\b|\bmermaid\b/i, steps: () => [text(DIAGRAM_TEXT)] },
  { word: /\bformulas?\b|\bmaths?\b|\blatex\b/i, steps: () => [text(FORMULA_TEXT)] },
  { word: /\bpage\b|\bhtml\b/i, steps: () => [text(PAGE_TEXT)] },
  {
    word: /\bcharts?\b|\bgraph\b/i,
    steps: () => [
      text(
        `Here are two charts, drawn from markers in my answer.\n\n[chart:${barChart}]\n\nAnd one with two lines:\n\n[chart:${lineChart}]\n\nBoth are plain data in the text, so they survive a reload.`
      )
    ]
  },
  { word: /\bsecret\b/i, steps: () => [text("For this I need a key that I mustn't see myself."), secretQuestion] },
  {
    word: /\bpaint the garden shed\b/i,
    steps: () => [text("Gladly. I need one decision before I begin."), patientQuestion]
  },
  {
    word: /\btidy up the old reports\b/i,
    steps: () => [
      text("There are 41 reports older than a year. I'd remove them, and you decide."),
      {
        type: "approve",
        command: "find reports -name '*.pdf' -mtime +365 -print -delete",
        meta: "remove reports older than a year",
        result: "41 files",
        allowed: "Done: 41 old reports are gone, or rather, this demo pretended to remove them.",
        denied: "All right, I'll leave them where they are.",
        runMs: 400
      }
    ]
  },
  { word: /\bask me quickly\b/i, steps: () => [shortQuestion] },
  { word: /\bask me (more|several|many|three)\b/i, steps: () => [threeQuestions] },
  { word: /\bask\b/i, steps: () => [text("Before I continue, I need your decision."), oneQuestion] },
  {
    word: /\btasks?\b|\bkanban\b|\bboard\b/i,
    steps: () => [
      text(
        `Here is a suggestion for your board. Accept it there, or ignore it.\n\n[kanban:create]${taskMarker}[/kanban:create]\n\nWhenever I see work worth keeping, I can propose a card like this.`
      )
    ]
  },
  {
    word: /\btts\b|\bspeak\b|\bvoice\b|\bsay something\b/i,
    steps: () => [
      text(
        "[tts: Hello! This is the demo agent speaking.] I marked one sentence to be read aloud. Everything else stays on the page."
      )
    ]
  },
  {
    word: /\bthink\b|\breason\b|\bplan\b/i,
    steps: () => [
      thinking,
      text(
        "I thought about it first: **start with the simplest version that works**, then improve what people actually notice."
      )
    ]
  },
  {
    word: /\bmany tools\b|\bedit\b/i,
    steps: () => [
      text("I'll look around first, then change one line."),
      ...["ls", "cat notes.md", "grep -n lamp notes.md", "wc -l notes.md", "git status --short"].map(
        (command): DemoStep => ({
          type: "tool",
          name: "exec",
          args: { command },
          meta: command,
          result: `pretended: ${command}`,
          details: { status: "completed", exitCode: 0 },
          runMs: 60
        })
      ),
      {
        type: "tool",
        name: "edit",
        args: { path: "notes.md", oldText: "# Lamp\n\nIt flickers.", newText: "# Lamp\n\nIt shines." },
        meta: "notes.md",
        result: "Changed 1 line.",
        runMs: 60
      },
      text("Now the note says that the lamp shines.")
    ]
  },
  {
    word: /\bapprov/i,
    steps: () => [
      text("For this I need to run a command, and you decide whether I may."),
      {
        type: "approve",
        command: "rm -r ./old-reports && echo tidy",
        meta: "remove the old reports",
        result: "tidy",
        allowed: "Thank you. The command ran, or rather, this demo pretended to run it.",
        denied: "All right, I'll leave everything as it is.",
        runMs: 400
      }
    ]
  },
  {
    word: /\btools?\b|\bexec\b|\brun\b/i,
    steps: () => [
      text("Let me look that up with a tool."),
      {
        type: "tool",
        name: "exec",
        args: { command: "uname -s && nproc" },
        meta: "show system and processors",
        result: "Linux\n8",
        details: { status: "completed", exitCode: 0, exitReason: "exit" },
        runMs: 600
      },
      text("The tool answered: this demo pretends to run on **Linux** with **8 processors**.")
    ]
  },
  {
    word: /\bimages?\b|\bpictures?\b|\bphotos?\b/i,
    steps: () => [
      text(
        "Here is our lighthouse. Paste or drop your own image into the message box, and I'll tell you what arrived."
      ),
      { type: "media", ...DEMO_PICTURE }
    ]
  },
  { word: /\b(welcome|tour|start)\b/i, steps: () => [text(WELCOME_TEXT)] }
]

const describeImages = (prompt: DemoPrompt): ReadonlyArray<DemoStep> => {
  const list = prompt.images.map((image, index) => {
    const name = image.fileName === undefined ? `Image ${index + 1}` : `\`${image.fileName}\``
    return `- ${name}: ${image.mimeType}, ${size(image.sizeBytes)}`
  })
  const said = prompt.text.trim() === "" ? "" : `\n\nYou also wrote: “${quoted(prompt.text)}”.`
  return [
    text(
      `Thank you, ${prompt.images.length === 1 ? "your image" : "your images"} arrived safely:\n\n${list.join("\n")}${said}`
    )
  ]
}

const background: Readonly<Record<"cron" | "subagent" | "announce", (prompt: DemoPrompt) => string>> = {
  cron: () => "Good morning! Nothing urgent: no new messages, and the sun is out.",
  subagent: () =>
    "Three facts about lighthouses:\n\n1. The tower of Hercules in Spain has guided ships for about 1 900 years.\n2. Fresnel's lens made a small flame visible 30 kilometres out.\n3. Every lighthouse blinks its own rhythm, so sailors can tell them apart.",
  announce: (prompt) => {
    const [label, ...rest] = prompt.text.split("\n")
    return `The helper “${label ?? "helper"}” is back:\n\n${rest.join("\n").trim()}`
  }
}

/**
 * What the demo agent does with a message. The first matching keyword decides; anything else gets a friendly reply that
 * repeats it.
 */
export const replyTo = (prompt: DemoPrompt): ReadonlyArray<DemoStep> => {
  if (prompt.source !== undefined) return [text(background[prompt.source](prompt))]
  if (prompt.images.length > 0) return describeImages(prompt)
  const guide = guideSteps(prompt.text)
  if (guide !== undefined) return guide
  const rule = RULES.find(({ word }) => word.test(prompt.text))
  if (rule !== undefined) return rule.steps(prompt)
  const answer = text(
    `You said: “${quoted(prompt.text)}”. I am only a demo, but I read every word. Type **help** to see what I can show you.`
  )
  return ["high", "xhigh", "max"].includes(prompt.thinkingLevel) ? [thinking, answer] : [answer]
}
