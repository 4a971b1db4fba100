import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Argument, CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { packageInfo } from "../services/version/packageInfo.ts"
import { exitCodes } from "./exitCodes.ts"
import { runMain } from "./runMain.ts"
import { Stop } from "./Stop.ts"

const NAME = "agent-console"

/** A switch that is off unless it is given. */
const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

const demo = off("demo", "talk to a built-in practice gateway instead of a real one; needs no settings")

const startServer = (flags: { readonly demo: boolean }) =>
  Effect.promise(() => import("./serve.ts")).pipe(Effect.flatMap(({ serve }) => serve(flags)))

const serve = Command.make("serve", { demo }, startServer).pipe(
  Command.withDescription("Run the console until a signal ends it (what happens without a command, too)")
)

const hashPassword = Command.make("hash-password", {}, () =>
  Effect.promise(() => import("./hashPassword.ts")).pipe(Effect.flatMap(({ printPasswordHash }) => printPasswordHash()))
).pipe(
  Command.withDescription("Ask for a password, or read it from stdin, and print the value for SVC_PASSWORD_HASH"),
  Command.withExamples([
    { command: "agent-console hash-password", description: "Type the password without showing it" },
    { command: "agent-console hash-password < password.txt", description: "Take it from a file" }
  ])
)

const boardFile = Argument.String("file").pipe(Argument.optional)

const exportBoard = Command.make(
  "export",
  { file: boardFile.pipe(Argument.withDescription("where to; stdout without it")) },
  ({ file }) =>
    Effect.promise(() => import("./boardFile.ts")).pipe(Effect.flatMap(({ exportToFile }) => exportToFile(file)))
).pipe(Command.withDescription("Write the whole task board as JSON, also while the console runs"))

const replace = off("replace", "put it in place of a board that is not empty")

const importBoard = Command.make(
  "import",
  { file: boardFile.pipe(Argument.withDescription("an exported board; stdin without it")), replace },
  ({ file, ...options }) =>
    Effect.promise(() => import("./boardFile.ts")).pipe(
      Effect.flatMap(({ importFromFile }) => importFromFile(file, options))
    )
).pipe(Command.withDescription("Read an exported task board"))

const updateFlags = {
  version: Flag.String("version").pipe(
    Flag.withMetavar("vX.Y.Z"),
    Flag.withDescription("go to this version instead of the latest"),
    Flag.optional
  ),
  yes: off("yes", "do not ask before changing anything").pipe(Flag.withAlias("y")),
  dryRun: off("dry-run", "only say what would be done"),
  verbose: off("verbose", "show every command and what it prints").pipe(Flag.withAlias("v")),
  rollback: off("rollback", "go back to the version before the last update"),
  noRestart: off("no-restart", "leave the service alone")
}

const updateCommand = Command.make("update", updateFlags, (flags) =>
  Effect.promise(() => import("./update.ts")).pipe(Effect.flatMap(({ update }) => update(flags)))
).pipe(
  Command.withDescription(
    "Update the git checkout this program lies in: fetch, install, build, restart the service and look at its health; on any failure everything goes back"
  ),
  Command.withShortDescription("Update to the latest or a given version, or go back"),
  Command.withExamples([
    { command: "agent-console update", description: "To the latest release, after a question" },
    { command: "agent-console update --version v1.4.0 --yes", description: "To a certain version, without one" },
    { command: "agent-console update --dry-run", description: "See every step first" },
    { command: "agent-console update --rollback", description: "Back to the version before" }
  ])
)

const setupCommand = Command.make(
  "setup",
  { yes: off("yes", "ask nothing: take what can be found").pipe(Flag.withAlias("y")) },
  (flags) => Effect.promise(() => import("./setup.ts")).pipe(Effect.flatMap(({ setup }) => setup(flags)))
).pipe(
  Command.withDescription(
    "Find the gateway, ask for address, password and voice, write .env in this folder, and look at everything"
  ),
  Command.withShortDescription("Ask for everything a console needs and write .env"),
  Command.withExamples([
    { command: "agent-console setup", description: "Answer a few questions" },
    { command: "agent-console setup --yes", description: "On the gateway's machine, without any" }
  ])
)

const doctorCommand = Command.make("doctor", { json: off("json", "print the findings as JSON") }, (flags) =>
  Effect.promise(() => import("./doctor.ts")).pipe(Effect.flatMap(({ doctor }) => doctor(flags)))
).pipe(
  Command.withDescription(
    "Look at everything the console needs and say what to do about what is missing; ends with 8 when something does not work"
  ),
  Command.withShortDescription("Look at everything the console needs"),
  Command.withExamples([
    { command: "agent-console doctor", description: "One table of what works and what does not" },
    { command: "agent-console doctor --json", description: "The same for a program" }
  ])
)

const service = Effect.promise(() => import("./service.ts"))

const installFlags = {
  print: off("print", "only print the file that would be written"),
  runAs: Flag.String("run-as").pipe(
    Flag.withMetavar("user"),
    Flag.withDescription("whom the system's own manager runs it as; only for root"),
    Flag.optional
  )
}

const serviceCommand = Command.make("service").pipe(
  Command.withDescription("Let the service manager of this machine (systemd or launchd) run the console"),
  Command.withExamples([
    {
      command: "agent-console service install",
      description: "Run it now and at every start, with the settings of this folder"
    },
    { command: "sudo agent-console service install --run-as alice", description: "Under the system's own manager" },
    { command: "agent-console service status", description: "Whether it runs" }
  ]),
  Command.withSubcommands([
    Command.make("install", installFlags, (flags) =>
      Effect.flatMap(service, ({ installService }) => installService(flags))
    ).pipe(Command.withDescription("Run the console with the settings of this folder, now and at every start")),
    Command.make("uninstall", {}, () => Effect.flatMap(service, ({ uninstallService }) => uninstallService())).pipe(
      Command.withDescription("Stop it and take it away; settings and data stay")
    ),
    Command.make("status", {}, () => Effect.flatMap(service, ({ showService }) => showService())).pipe(
      Command.withDescription("Whether it runs; ends with 90 when it does not")
    )
  ])
)

const completionsCommand = Command.make(
  "completions",
  { shell: Argument.Literals("shell", ["bash", "zsh", "fish"]) },
  ({ shell }): Effect.Effect<void> =>
    Effect.promise(() => import("./completions.ts")).pipe(
      Effect.flatMap(({ printCompletions }) => printCompletions(NAME, shell, root))
    )
).pipe(
  Command.withDescription("Print the script by which a shell completes commands and flags"),
  Command.withExamples([
    { command: 'eval "$(agent-console completions bash)"', description: "In ~/.bashrc" },
    { command: 'eval "$(agent-console completions zsh)"', description: "In ~/.zshrc" },
    {
      command: "agent-console completions fish > ~/.config/fish/completions/agent-console.fish",
      description: "Once, for fish"
    }
  ])
)

const versionFlag = off("version", "print the version")

const start = ({ version, ...flags }: { readonly version: boolean; readonly demo: boolean }) =>
  version ? Console.log(packageInfo.version) : startServer(flags)

const root = Command.make(NAME, { demo, version: versionFlag }, start).pipe(
  Command.withDescription("One fast, safe place to talk to your AI agents, watch them work and hand them tasks."),
  Command.withExamples([
    { command: "agent-console", description: "Run with the settings of the environment and .env" },
    { command: "agent-console --demo", description: "Try it without a gateway" },
    { command: "agent-console hash-password", description: "Make a password for SVC_PASSWORD_HASH" }
  ]),
  Command.withSubcommands([
    serve,
    setupCommand,
    doctorCommand,
    serviceCommand,
    updateCommand,
    hashPassword,
    exportBoard,
    importBoard,
    completionsCommand
  ])
)

const Platform = Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help] }))

/** Runs one command line, as the process. */
export const run = (args: ReadonlyArray<string>): void =>
  runMain(
    Command.runWith(root, { version: packageInfo.version })(args).pipe(
      Effect.catchTag("ShowHelp", (help) =>
        help.errors.length === 0 ? Effect.void : new Stop({ message: "", exitCode: exitCodes.usage })
      ),
      Effect.provide(Platform)
    )
  )
