import { Effect } from "effect"
import { Commands } from "./Commands.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

const LOCAL_LIMIT = "2 minutes"

/** Runs the user's own `git` in the checkout. */
export const makeUpdateGit = Effect.gen(function* () {
  const { directory } = yield* UpdateTarget
  const commands = yield* Commands

  const git = (args: ReadonlyArray<string>, timeLimit: "30 seconds" | "2 minutes" | "5 minutes") =>
    commands.run({
      program: "git",
      args: ["--no-pager", ...args],
      directory,
      timeLimit,
      needs: ["git", "network", "session"]
    })
  const local = (...args: ReadonlyArray<string>) => git(args, LOCAL_LIMIT)
  const line = (...args: ReadonlyArray<string>) => Effect.map(local(...args), (text) => text.trim())

  return { git, local, line }
})
