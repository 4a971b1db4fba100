import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { off } from "./off.ts"

const backup = Effect.promise(() => import("./backup.ts"))

/** `agent-console backup` and what belongs to it. */
export const backupCommand = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("file to write; one named after the time in the console's folder if omitted"),
      Argument.optional
    ),
    withoutSecrets: off("without-secrets", "leave out tokens, keys, the password and the device's identity"),
    gatewayHome: off("gateway-home", "also back up the agents' memory and documents"),
    force: off("force", "replace a file that's already there")
  },
  (flags) => Effect.flatMap(backup, ({ makeBackup }) => makeBackup(flags))
).pipe(
  Command.withDescription(
    "Back up the console's folder and settings into one archive, even while the console is running; prints its path"
  ),
  Command.withShortDescription("Back up the console, or check a backup"),
  Command.withExamples([
    { command: "agent-console backup", description: "Into the console's folder" },
    {
      command: "agent-console backup /mnt/disk/console.tar.gz --force",
      description: "To another disk, each time anew"
    },
    { command: "agent-console backup verify /mnt/disk/console.tar.gz", description: "Check that it's whole" }
  ]),
  Command.withSubcommands([
    Command.make("verify", { file: Argument.String("file") }, ({ file }) =>
      Effect.flatMap(backup, ({ verifyBackup }) => verifyBackup(file))
    ).pipe(Command.withDescription("Check that a backup is whole; exits with 65 if it's damaged"))
  ])
)

/** `agent-console restore`. */
export const restoreCommand = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("archive that `agent-console backup` made")),
    into: Flag.String("into").pipe(
      Flag.withMetavar("folder"),
      Flag.withDescription("folder to restore; the console's own if omitted"),
      Flag.optional
    ),
    replace: off("replace", "put a folder that isn't empty aside")
  },
  (flags) => Effect.flatMap(backup, ({ restore }) => restore(flags))
).pipe(
  Command.withDescription(
    "Make the console's folder, or another one, what a backup holds. Stop the console first; if anything fails, the folder stays as it is"
  ),
  Command.withShortDescription("Restore the console from a backup"),
  Command.withExamples([
    { command: "agent-console restore console.tar.gz", description: "On a new machine" },
    { command: "agent-console restore console.tar.gz --replace", description: "Put the present folder aside" },
    { command: "agent-console restore console.tar.gz --into ~/look", description: "Only to look into it" }
  ])
)
