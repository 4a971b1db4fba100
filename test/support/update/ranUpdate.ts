import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import type { FailedStep } from "../../../src/services/machine/update/UpdateReport.ts"
import type { runUpdate } from "./runUpdate.ts"
import type { UpdateHome } from "./updateHome.ts"

/** The output of an update. */
export type Ran = Effect.Success<ReturnType<typeof runUpdate>>

const failure = ({ exit }: Ran) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

/** The update ended at this step, with this in its sentence. */
export const assertFailed = (ran: Ran, step: FailedStep, ...parts: ReadonlyArray<string>) => {
  const error = failure(ran)
  assert.strictEqual(error?.step, step, `${error?.message}\n${ran.told}`)
  for (const part of parts) assert.include(error?.message ?? "", part)
}

/** Runs an update that must not change anything, and checks that. */
export const unchanged = (home: UpdateHome, run: Effect.Effect<Ran>) =>
  Effect.gen(function* () {
    const [head, branch, dotEnv] = [home.git("rev-parse", "HEAD"), home.git("branch", "--show-current"), home.dotEnv()]
    const version = yield* home.runningVersion
    const ran = yield* run
    assert.strictEqual(home.git("rev-parse", "HEAD"), head)
    assert.strictEqual(home.git("branch", "--show-current"), branch)
    assert.strictEqual(home.git("status", "--porcelain"), "")
    assert.deepStrictEqual(home.dotEnv(), dotEnv)
    assert.strictEqual(yield* home.runningVersion, version)
    assert.isFalse(existsSync(join(home.svcHome, "updater", "update.lock")))
    return ran
  })

/** The versions that are kept beside the one in place. */
export const kept = (home: UpdateHome): ReadonlyArray<string> => readdirSync(join(home.directory, ".update", "kept"))
