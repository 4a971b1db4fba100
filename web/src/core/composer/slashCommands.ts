/** A command of the gateway that is typed instead of a message. */
export interface SlashCommand {
  /** With its slash. */
  readonly name: string
  readonly hint: string
  /** What its argument is, where it takes one that can be listed. */
  readonly argument?: "model" | "thinking"
}

/** The commands that both gateway generations know and that make sense here, the most used first. */
export const SLASH_COMMANDS: ReadonlyArray<SlashCommand> = [
  { name: "/stop", hint: "Stop the running answer" },
  { name: "/new", hint: "Empty this session and start anew" },
  { name: "/reset", hint: "Empty this session" },
  { name: "/model", hint: "Choose the model of this session", argument: "model" },
  { name: "/think", hint: "Choose how much the agent thinks", argument: "thinking" },
  { name: "/status", hint: "Show model, tokens and session" },
  { name: "/compact", hint: "Shorten what the agent remembers of this session" },
  { name: "/help", hint: "Show what the agent can do" }
]

/** One line of the list under what is being typed. */
export interface Completion {
  /** What the composer holds after it was chosen. */
  readonly text: string
  readonly label: string
  readonly hint: string
}

/** Values of arguments, as far as they are known. */
export interface ArgumentValues {
  readonly model: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly thinking: ReadonlyArray<{ readonly id: string; readonly label: string }>
}

const MAX = 8

/** Whether a text is, or may become, a command. */
export const startsCommand = (text: string): boolean => /^\/[a-z]*( [^\n]*)?$/i.test(text)

/** What a begun command can become: its name first, then the value of its argument. */
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
        ? values.thinking.map(({ id, label }) => ({ value: id, hint: label === id ? "" : label }))
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
