import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { runMain } from "./runMain.ts"
import { serve } from "./serve.ts"

/** Runs the console without loading the command-line parser: most starts have no options. */
export const start = (options: { readonly demo: boolean }): void =>
  runMain(serve(options).pipe(Effect.provide(NodeServices.layer)))
