import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Argument, CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { packageInfo } from "../services/version/packageInfo.ts"
import { exitCodes } from "./exitCodes.ts"
import { runMain } from "./runMain.ts"
import { Stop } from "./Stop.ts"

const demo = Flag.Boolean("demo").pipe(
  Flag.withDescription("talk to a built-in practice gateway instead of a real one; needs no settings"),
  Flag.withDefault(false)
)

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

const replace = Flag.Boolean("replace").pipe(
  Flag.withDescription("put it in place of a board that is not empty"),
  Flag.withDefault(false)
)

const importBoard = Command.make(
  "import",
  { file: boardFile.pipe(Argument.withDescription("an exported board; stdin without it")), replace },
  ({ file, ...options }) =>
    Effect.promise(() => import("./boardFile.ts")).pipe(
      Effect.flatMap(({ importFromFile }) => importFromFile(file, options))
    )
).pipe(Command.withDescription("Read an exported task board"))

const root = Command.make("agent-console", { demo }, startServer).pipe(
  Command.withDescription("One fast, safe place to talk to your AI agents, watch them work and hand them tasks."),
  Command.withExamples([
    { command: "agent-console", description: "Run with the settings of the environment and .env" },
    { command: "agent-console --demo", description: "Try it without a gateway" },
    { command: "agent-console hash-password", description: "Make a password for SVC_PASSWORD_HASH" }
  ]),
  Command.withSubcommands([serve, hashPassword, exportBoard, importBoard])
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
