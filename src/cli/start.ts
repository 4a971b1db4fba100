import { NodeFileSystem, NodePath } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { runMain } from "./runMain.ts"
import { serve } from "./serve.ts"

/**
 * Runs the console without loading the command-line parser: most starts have no options. Until the ports are open it
 * needs nothing of Node but files; a terminal and programs are for the app behind them.
 */
export const start = (options: { readonly demo: boolean }): void =>
  runMain(serve(options).pipe(Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer))))
