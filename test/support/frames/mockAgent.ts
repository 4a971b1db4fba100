import type { QuestionPart } from "../../../practice-gateway/src/chat/questionRules.ts"
import type { DemoAgent, DemoStep } from "../../../practice-gateway/src/demo/steps.ts"

const directive = (text: string, name: string) => new RegExp(`\\[\\[mock:${name}=([^\\]]*)\\]\\]`).exec(text)?.[1]

const colour: QuestionPart = {
  questionId: "colour",
  header: "Colour",
  question: "Which colour shall the shed have?",
  options: [{ label: "Red", description: "As before" }, { label: "Blue" }]
}

const toolSteps = (text: string): ReadonlyArray<DemoStep> => {
  if (text.includes("[[mock:tool=ask_user "))
    return [{ type: "ask", questions: [colour], timeoutMs: 60_000, reply: () => "noted", unable: "noted" }]
  if (text.includes("touch asked.txt"))
    return [
      {
        type: "approve",
        command: "touch asked.txt",
        meta: "create asked.txt",
        result: "(no output)",
        allowed: "through",
        denied: "through",
        runMs: 0
      }
    ]
  if (!text.includes("[[mock:tool=exec ")) return []
  return [
    { type: "tool", name: "exec", args: { command: "echo hi" }, meta: "print text", result: "hi", runMs: 0 },
    { type: "text", text: "the tool said: hi" }
  ]
}

/** The practice gateway's agent, which follows the directives of a mock model. */
export const mockAgent: DemoAgent = ({ text }) => {
  if (text.includes("[[mock:error=")) return [{ type: "fail" }]
  if (text.includes("[[mock:hang]]")) return [{ type: "text", text: "one two three" }, { type: "hang" }]
  const thinking = directive(text, "think")
  const thought: ReadonlyArray<DemoStep> = thinking === undefined ? [] : [{ type: "thinking", text: thinking }]
  const before = directive(text, "before")
  const said: ReadonlyArray<DemoStep> = before === undefined ? [] : [{ type: "text", text: before }]
  const tools = toolSteps(text)
  if (tools.length > 0) return [...thought, ...said, ...tools]
  const pace = Number(directive(text, "delay") ?? 1)
  return [...thought, { type: "text", text: directive(text, "text") ?? `echo: ${text}`, tokenMs: pace }]
}
