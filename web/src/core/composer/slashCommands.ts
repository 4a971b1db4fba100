import { say } from "../language/say.ts"
import { startsCommand } from "./composerRules.ts"

/** A gateway command that is typed instead of a message. */
export interface SlashCommand {
  /** With its slash. */
  readonly name: string
  readonly hint: string
  /** What its argument is, if it takes one that can be listed. */
  readonly argument?: "model" | "thinking"
}

/** The commands that both gateway generations know and that make sense here, most used first. */
export const SLASH_COMMANDS: ReadonlyArray<SlashCommand> = [
  { name: "/stop", hint: say("Stop the current response") },
  { name: "/new", hint: say("Clear this session and start over") },
  { name: "/reset", hint: say("Clear this session") },
  { name: "/model", hint: say("Choose the model of this session"), argument: "model" },
  { name: "/think", hint: say("Set how much the agent thinks"), argument: "thinking" },
  { name: "/status", hint: say("Show model, tokens and session") },
  { name: "/compact", hint: say("Compact the agent's memory of this session") },
  { name: "/help", hint: say("Show what the agent can do") }
]

/** One line of the list below what is being typed. */
export interface Completion {
  /** The composer's text after it was chosen. */
  readonly text: string
  readonly label: string
  readonly hint: string
  /** Where the caret is then; at the end if it isn't said. */
  readonly caret?: number
}

/** Known values of arguments. */
export interface ArgumentValues {
  readonly model: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly thinking: ReadonlyArray<{ readonly id: string; readonly label: string }>
}

/** Completes a text, with the caret at a place, with what is known at the moment. */
export type Complete = (text: string, caret: number) => ReadonlyArray<Completion>

const MAX = 8

/** Completions of a started command: its name first, then the value of its argument. */
export function completions(text: string, values: ArgumentValues): ReadonlyArray<Completion> {
  if (!startsCommand(text)) return []
  const [typed = "", argument] = splitOnce(text.toLowerCase())
  if (argument === undefined)
    return SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed) && name !== typed).map((command) => ({
      text: command.argument === undefined ? command.name : `${command.name} `,
      label: command.name,
      hint: command.hint
    }))
  const command = SLASH_COMMANDS.find(({ name }) => name === typed)
  const choices =
    command?.argument === "model"
      ? values.model.map(({ id, name }) => ({ value: id, hint: name === id ? "" : name }))
      : command?.argument === "thinking"
        ? values.thinking.map(({ id, label }) => ({ value: id, hint: label.toLowerCase() === id ? "" : label }))
        : []
  return choices
    .filter(({ value, hint }) => `${value} ${hint}`.toLowerCase().includes(argument) && value !== argument)
    .slice(0, MAX)
    .map(({ value, hint }) => ({ text: `${typed} ${value}`, label: value, hint }))
}

const splitOnce = (text: string): ReadonlyArray<string> => {
  const space = text.indexOf(" ")
  return space < 0 ? [text] : [text.slice(0, space), text.slice(space + 1).trim()]
}
