import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { off } from "./off.ts"

const config = Effect.promise(() => import("./config.ts"))

/** `agent-console config`: what is loaded only when it is run. */
export const configCommand = Command.make("config").pipe(
  Command.withDescription("Check the settings, or describe them to an editor"),
  Command.withSubcommands([
    Command.make(
      "check",
      {
        folder: Argument.String("folder").pipe(
          Argument.withDescription(
            "folder that the console is started in, with its .env; the program's own if omitted"
          ),
          Argument.optional
        ),
        json: off("json", "print what is set and what was found as JSON")
      },
      (flags) => Effect.flatMap(config, ({ checkConfig }) => checkConfig(flags))
    ).pipe(
      Command.withDescription(
        "Show which settings have a value and where it comes from, and what's wrong with them; exits with 3 if something is. Secrets aren't shown"
      ),
      Command.withShortDescription("Check the settings without starting the console"),
      Command.withExamples([
        { command: "agent-console config check .", description: "The settings of a console started in this folder" }
      ])
    ),
    Command.make("schema", {}, () => Effect.flatMap(config, ({ printSchema }) => printSchema())).pipe(
      Command.withDescription("Print the JSON Schema of the settings")
    )
  ])
)
