import { Data } from "effect"
import type { ExitCode } from "./exitCodes.ts"

/** An expected failure that ends the program: one sentence (empty if it's already been printed) and the exit code. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  readonly message: string
  readonly exitCode: ExitCode
}> {}
