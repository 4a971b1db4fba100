import { Console } from "effect"
import { type Command, Completions } from "effect/cli"

/** Prints the script that lets a shell complete commands and flags. */
export const printCompletions = (name: string, shell: Completions.Shell, command: Command.Command.Any) =>
  // The library's text mentions its own flag; here it's a command.
  Console.log(
    Completions.generate(name, shell, Completions.fromCommand(command)).replaceAll("--completions", "completions")
  )
