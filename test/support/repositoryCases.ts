import { utimesSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeGitApp } from "./gitApp.ts"
import { git, makeRepository } from "./gitRepositories.ts"

/** A change to a repository with one commit, and the expected state; another folder may be inspected. */
export interface RepositoryCase {
  readonly branch?: string | null
  readonly dirty: boolean
  readonly init?: ReadonlyArray<string>
  readonly make: (repository: string, beside: string) => unknown
}

/** Commits all changes. */
export const commit = (folder: string) => {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--message", "More")
}

/** Other times than the index has, so that git must compare contents. */
export const touch = (file: string) => utimesSync(file, 1, 1)

/** Inspects a repository of every case, and compares its state with the expected one. */
export const holds = (cases: Readonly<Record<string, RepositoryCase>>) =>
  Effect.gen(function* () {
    const { base, stateOf } = yield* makeGitApp()
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [index, [name, one]] of Object.entries(cases).entries()) {
      const repository = makeRepository(join(base, `repository-${index}`), ...(one.init ?? []))
      const made = one.make(repository, join(base, `beside-${index}`))
      const folder = typeof made === "string" && made.startsWith(base) ? made : repository
      found[name] = yield* stateOf(folder)
      expected[name] = { branch: one.branch === undefined ? "main" : one.branch, dirty: one.dirty }
    }
    assert.deepStrictEqual(found, expected)
  })
