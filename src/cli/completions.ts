import { Console } from "effect"
import { type Command, Completions } from "effect/cli"

/** Prints the script by which a shell completes the commands and flags of a program. */
export const printCompletions = (name: string, shell: Completions.Shell, command: Command.Command.Any) =>
  // The library's text names the flag of its own; here it is a command.
  Console.log(
    Completions.generate(name, shell, Completions.fromCommand(command)).replaceAll("--completions", "completions")
  )
