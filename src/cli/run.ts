import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Argument, CliConfig, Command, Completions, Flag, GlobalFlag } from "effect/cli"
import { AGENT_RIGHTS, USUAL_RIGHTS } from "../contract/agentRights.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"
import { backupCommand, restoreCommand } from "./backupCommands.ts"
import { budgetCommand, resumeCommand, stopCommand } from "./budgetCommands.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { configCommand } from "./configCommand.ts"
import { exitCodes } from "./exitCodes.ts"
import { off } from "./off.ts"
import { runMain } from "./runMain.ts"

const NAME = "agent-console"

const demo = off("demo", "use a built-in practice gateway instead of a real one; no settings needed")

const gateways = Flag.ChoiceWithValue("gateways", [
  ["1", 1],
  ["2", 2]
]).pipe(Flag.withDescription("how many practice gateways --demo has"), Flag.withDefault(1))

const startServer = (flags: { readonly demo: boolean; readonly gateways: number }) =>
  Effect.promise(() => import("./serve.ts")).pipe(Effect.flatMap(({ serve }) => serve(flags)))

const serve = Command.make("serve", { demo, gateways }, startServer).pipe(
  Command.withDescription("Run the console until it's stopped (the default command)")
)

const hashPassword = Command.make("hash-password", {}, () =>
  Effect.promise(() => import("./hashPassword.ts")).pipe(Effect.flatMap(({ printPasswordHash }) => printPasswordHash()))
).pipe(
  Command.withDescription("Hash a password (typed or from stdin) and print the value for SVC_PASSWORD_HASH"),
  Command.withExamples([
    { command: "agent-console hash-password", description: "Type the password (it isn't shown)" },
    { command: "agent-console hash-password < password.txt", description: "Read it from a file" }
  ])
)

const boardFile = Argument.String("file").pipe(Argument.optional)

const exportBoard = Command.make(
  "export",
  { file: boardFile.pipe(Argument.withDescription("file to write; stdout if omitted")) },
  ({ file }) =>
    Effect.promise(() => import("./boardFile.ts")).pipe(Effect.flatMap(({ exportToFile }) => exportToFile(file)))
).pipe(Command.withDescription("Export the task board as JSON, even while the console is running"))

const replace = off("replace", "replace a board that isn't empty")

const importBoard = Command.make(
  "import",
  { file: boardFile.pipe(Argument.withDescription("exported board; stdin if omitted")), replace },
  ({ file, ...options }) =>
    Effect.promise(() => import("./boardFile.ts")).pipe(
      Effect.flatMap(({ importFromFile }) => importFromFile(file, options))
    )
).pipe(Command.withDescription("Import an exported task board"))

const updateFlags = {
  version: Flag.String("version").pipe(
    Flag.withMetavar("vX.Y.Z"),
    Flag.withDescription("install this version instead of the latest"),
    Flag.optional
  ),
  yes: off("yes", "don't ask for confirmation").pipe(Flag.withAlias("y")),
  dryRun: off("dry-run", "show what would happen without changing anything"),
  verbose: off("verbose", "show every command and its output").pipe(Flag.withAlias("v")),
  rollback: off("rollback", "go back to the version before the last update"),
  noRestart: off("no-restart", "don't restart the service")
}

const updateCommand = Command.make("update", updateFlags, (flags) =>
  Effect.promise(() => import("./update.ts")).pipe(Effect.flatMap(({ update }) => update(flags)))
).pipe(
  Command.withDescription(
    "Update the git checkout this program runs from. The new version is prepared next to the current one, swapped in, restarted and health-checked; if anything fails, the current version stays or comes back"
  ),
  Command.withShortDescription("Update to the latest or a given version, or roll back"),
  Command.withExamples([
    { command: "agent-console update", description: "Update to the latest release, after confirmation" },
    {
      command: "agent-console update --version v1.4.0 --yes",
      description: "Update to a specific version, without confirmation"
    },
    { command: "agent-console update --dry-run", description: "Show every step first" },
    { command: "agent-console update --rollback", description: "Go back to the previous version" }
  ])
)

const setupCommand = Command.make(
  "setup",
  {
    yes: off("yes", "don't ask anything; use what's found on this machine").pipe(Flag.withAlias("y")),
    gatewayAgents: Flag.Literals("gateway-agents", ["on", "off"]).pipe(
      Flag.withDescription("let the gateway's own agents use the board as tools, or take that back"),
      Flag.optional
    )
  },
  (flags) => Effect.promise(() => import("./setup.ts")).pipe(Effect.flatMap(({ setup }) => setup(flags)))
).pipe(
  Command.withDescription(
    "Find the gateway, ask for addresses, a password, voice settings and whether the gateway's agents may use the board, write .env in this folder and run the checks"
  ),
  Command.withShortDescription("Set up the console and write .env"),
  Command.withExamples([
    { command: "agent-console setup", description: "Answer a few questions" },
    { command: "agent-console setup --yes", description: "Without questions, on the gateway's machine" },
    {
      command: "agent-console setup --yes --gateway-agents on",
      description: "Let the gateway's agents use the board, too"
    }
  ])
)

const doctorCommand = Command.make(
  "doctor",
  {
    folder: Argument.String("folder").pipe(
      Argument.withDescription("folder that the console is started in, with its .env; the program's own if omitted"),
      Argument.optional
    ),
    json: off("json", "print the findings as JSON")
  },
  (flags) => Effect.promise(() => import("./doctor.ts")).pipe(Effect.flatMap(({ doctor }) => doctor(flags)))
).pipe(
  Command.withDescription(
    "Check everything the console needs and show how to fix what's missing; exits with 8 if something doesn't work"
  ),
  Command.withShortDescription("Check everything the console needs"),
  Command.withExamples([
    { command: "agent-console doctor .", description: "A table of what works and what doesn't in this folder" },
    { command: "agent-console doctor . --json", description: "The same as JSON" }
  ])
)

const searchCommand = Command.make(
  "search",
  {
    words: Argument.String("words").pipe(
      Argument.withDescription("what to look for; put -- in front if a word begins with a hyphen"),
      Argument.variadic({ min: 1 })
    ),
    kind: Flag.String("kind").pipe(
      Flag.withDescription("only these, separated by commas: message, task, memory, document, log"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(Flag.withDescription("how many hits, up to 100"), Flag.withDefault(20)),
    json: off("json", "print the hits as JSON")
  },
  (flags) => Effect.promise(() => import("./search.ts")).pipe(Effect.flatMap(({ search }) => search(flags)))
).pipe(
  Command.withDescription(
    "Search conversations, cards, memory, documents and the agent log of the running console, newest first; exits with 1 if nothing was found, 91 if no console is running, 92 if it refuses or can't search"
  ),
  Command.withShortDescription("Search everything the running console keeps"),
  Command.withExamples([
    { command: "agent-console search greenhouse pump", description: "Both words, in any order" },
    {
      command: "agent-console search '\"new pump\" green*'",
      description: "A phrase, and a word that begins like that"
    },
    { command: "agent-console search -- pump -old", description: "One word without another" },
    { command: "agent-console search --kind task,memory pump", description: "Only in cards and memory" }
  ])
)

const service = Effect.promise(() => import("./service.ts"))

const installFlags = {
  print: off("print", "print the service file without installing it"),
  runAs: Flag.String("run-as").pipe(
    Flag.withMetavar("user"),
    Flag.withDescription("install a system-wide service that runs as this user (root only)"),
    Flag.optional
  )
}

const logFlags = {
  follow: off("follow", "go on with what is written from now on, until Ctrl-C").pipe(Flag.withAlias("f")),
  lines: Flag.Int("lines").pipe(
    Flag.withAlias("n"),
    Flag.withDescription("how many of the last lines"),
    Flag.filter(
      (lines) => lines >= 0,
      (lines) => `--lines is a number of lines, not ${lines}`
    ),
    Flag.withDefault(100)
  )
}

const serviceCommand = Command.make("service").pipe(
  Command.withDescription("Run the console as a service (systemd or launchd)"),
  Command.withExamples([
    {
      command: "agent-console service install",
      description: "Start it now and at every boot, with this folder's settings"
    },
    { command: "sudo agent-console service install --run-as alice", description: "As a system-wide service" },
    { command: "agent-console service status", description: "Show whether it's running" },
    { command: "agent-console service logs --follow", description: "Show what it writes" }
  ]),
  Command.withSubcommands([
    Command.make("install", installFlags, (flags) =>
      Effect.flatMap(service, ({ installService }) => installService(flags))
    ).pipe(Command.withDescription("Start the console now and at every boot, with this folder's settings")),
    Command.make("uninstall", {}, () => Effect.flatMap(service, ({ uninstallService }) => uninstallService())).pipe(
      Command.withDescription("Stop and remove the service; settings and data stay")
    ),
    Command.make("status", {}, () => Effect.flatMap(service, ({ showService }) => showService())).pipe(
      Command.withDescription("Show whether it's running; exits with 90 if it isn't")
    ),
    Command.make("restart", {}, () => Effect.flatMap(service, ({ restartService }) => restartService())).pipe(
      Command.withDescription("Restart it, with the settings in .env as they are now")
    ),
    Command.make("logs", logFlags, (flags) => Effect.flatMap(service, ({ showLogs }) => showLogs(flags))).pipe(
      Command.withDescription("Show the end of its log: from the journal of systemd, or launchd's log file")
    )
  ])
)

const completionsCommand = Command.make(
  "completions",
  { shell: Argument.Literals("shell", ["bash", "zsh", "fish"]) },
  // The library's text mentions its own flag; here it's a command.
  ({ shell }): Effect.Effect<void> =>
    Console.log(
      Completions.generate(NAME, shell, Completions.fromCommand(root)).replaceAll("--completions", "completions")
    )
).pipe(
  Command.withDescription("Print the shell completion script"),
  Command.withExamples([
    { command: 'eval "$(agent-console completions bash)"', description: "In ~/.bashrc" },
    { command: 'eval "$(agent-console completions zsh)"', description: "In ~/.zshrc" },
    {
      command: "agent-console completions fish > ~/.config/fish/completions/agent-console.fish",
      description: "For fish, once"
    }
  ])
)

const gateway = Effect.promise(() => import("./gateway.ts"))

const gatewayCommand = Command.make("gateway").pipe(
  Command.withDescription("Add and remove gateways of the running console"),
  Command.withExamples([
    { command: "agent-console gateway list", description: "Show them, and what's wrong with each" },
    {
      command: "agent-console gateway add https://agents.example:18789 --name Work",
      description: "Asks for the token"
    },
    { command: "agent-console gateway add ws://10.0.0.5:18789 < token.txt", description: "With the token in a file" },
    { command: "agent-console gateway remove work", description: "Disconnect, and forget its token" }
  ]),
  Command.withSubcommands([
    Command.make("list", { json: off("json", "print it as JSON") }, ({ json }) =>
      Effect.flatMap(gateway, ({ listGateways }) => listGateways(json))
    ).pipe(Command.withDescription("Show the gateways and their state")),
    Command.make(
      "add",
      {
        url: Argument.String("address"),
        name: Flag.String("name").pipe(Flag.withDescription("what to call it; its host by default"), Flag.optional),
        id: Flag.String("id").pipe(
          Flag.withDescription("small letters, digits and hyphens; from its name by default"),
          Flag.optional
        )
      },
      (flags) => Effect.flatMap(gateway, ({ addGateway }) => addGateway(flags))
    ).pipe(Command.withDescription("Add a gateway; its token is asked for, or read from stdin")),
    Command.make("remove", { id: Argument.String("id") }, ({ id }) =>
      Effect.flatMap(gateway, ({ removeGateway }) => removeGateway(id))
    ).pipe(Command.withDescription("Disconnect from a gateway and forget its token"))
  ])
)

const boardCommand = Command.make("board").pipe(
  Command.withDescription("Move the board between the console's own folder and a PostgreSQL database"),
  Command.withExamples([
    { command: "agent-console board move --to - < address.txt", description: "For a team, the address in a file" },
    { command: "agent-console board move --to sqlite", description: "Back into the console's own folder" }
  ]),
  Command.withSubcommands([
    Command.make(
      "move",
      {
        to: Flag.String("to").pipe(
          Flag.withMetavar("url"),
          Flag.withDescription(
            "address of an empty PostgreSQL database, - to read it from stdin, or sqlite for the console's own folder"
          )
        )
      },
      ({ to }) => Effect.promise(() => import("./boardFile.ts")).pipe(Effect.flatMap(({ moveTo }) => moveTo(to)))
    ).pipe(Command.withDescription("Copy the board there and check the copy; refuses a place that has a board already"))
  ])
)

const mcpTokenCommand = Command.make(
  "token",
  {
    name: Flag.String("name").pipe(Flag.withDescription("what the board and the inbox call the agent")),
    rights: Flag.String("rights").pipe(
      Flag.withDescription(`what it may do, separated by commas: ${AGENT_RIGHTS.join(", ")}`),
      Flag.withDefault(USUAL_RIGHTS.join(","))
    )
  },
  (flags) =>
    Effect.promise(() => import("./mcpToken.ts")).pipe(Effect.flatMap(({ printNewToken }) => printNewToken(flags)))
).pipe(Command.withDescription("Create a token for an agent, and show it once with what to paste where"))

const mcpCommand = Command.make(
  "mcp",
  {
    url: Flag.String("url").pipe(
      Flag.withMetavar("address"),
      Flag.withDescription("address of the console; the one that is running on this machine if omitted"),
      Flag.optional
    )
  },
  (flags) => Effect.promise(() => import("./mcpBridge.ts")).pipe(Effect.flatMap(({ bridge }) => bridge(flags)))
).pipe(
  Command.withDescription(
    "Give an agent the board and the person as tools, over the Model Context Protocol on stdin and stdout; the token is in AGENT_CONSOLE_TOKEN"
  ),
  Command.withShortDescription("Give agents the board as tools (Model Context Protocol)"),
  Command.withExamples([
    { command: "agent-console mcp token --name coder --rights read,write,ask", description: "Create a token" },
    { command: "AGENT_CONSOLE_TOKEN=agc_… agent-console mcp", description: "What an agent's client starts" }
  ]),
  Command.withSubcommands([mcpTokenCommand])
)

const versionFlag = off("version", "print the version")

const start = ({
  version,
  ...flags
}: {
  readonly version: boolean
  readonly demo: boolean
  readonly gateways: number
}) => (version ? Console.log(packageInfo.version) : startServer(flags))

const root = Command.make(NAME, { demo, gateways, version: versionFlag }, start).pipe(
  Command.withDescription("One fast, safe place to talk to your AI agents, watch them work and hand them tasks."),
  Command.withExamples([
    { command: "agent-console", description: "Run with the settings from the environment and .env" },
    { command: "agent-console --demo", description: "Try it without a gateway" },
    { command: "agent-console hash-password", description: "Create the value for SVC_PASSWORD_HASH" }
  ]),
  Command.withSubcommands([
    serve,
    setupCommand,
    doctorCommand,
    configCommand,
    searchCommand,
    serviceCommand,
    updateCommand,
    hashPassword,
    exportBoard,
    importBoard,
    backupCommand,
    restoreCommand,
    gatewayCommand,
    budgetCommand,
    stopCommand,
    resumeCommand,
    boardCommand,
    mcpCommand,
    completionsCommand
  ])
)

const Platform = Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help] }))

/** Parses and runs the command line. */
export const run = (args: ReadonlyArray<string>): void =>
  runMain(
    Command.runWith(root, { version: packageInfo.version })(args).pipe(
      Effect.catchTag("ShowHelp", (help) =>
        help.errors.length === 0 ? Effect.void : new CommandFailure({ message: "", exitCode: exitCodes.usage })
      ),
      Effect.provide(Platform)
    )
  )
