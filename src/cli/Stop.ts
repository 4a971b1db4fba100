import { Data } from "effect"
import type { ExitCode } from "./exitCodes.ts"

/** An expected failure that ends the program: one sentence for people (empty when it was printed already) and the exit code. */
export class Stop extends Data.TaggedError("Stop")<{
  readonly message: string
  readonly exitCode: ExitCode
}> {}
