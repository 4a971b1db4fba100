import { Effect } from "effect"
import { ChildProcess } from "effect/process"
import { ownVariables } from "../../../node/ownVariables.ts"
import { type ChildNeeds, childVariables } from "./childVariables.ts"

type Options = Omit<ChildProcess.CommandOptions, "env" | "extendEnv" | "shell"> & ChildNeeds

/** A program to start, with the variables it needs instead of all the console's. */
export const childCommand = (program: string, args: ReadonlyArray<string>, { needs, set, ...options }: Options) =>
  Effect.map(ownVariables, (own) =>
    ChildProcess.make(program, args, { ...options, env: childVariables(own, { needs, set }) })
  )
