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

/** A remote's tag with its commit. */
interface RemoteTag {
  readonly tag: string
  readonly commit: string
}

/** Reads `git ls-remote --tags`. For an annotated tag the commit counts, which is a second line with `^{}`. */
export const parseRemoteTags = (text: string): ReadonlyArray<RemoteTag> => {
  const commits = new Map<string, string>()
  for (const line of text.split("\n")) {
    const [, commit, name] = /^([0-9a-f]{40,64})\trefs\/tags\/(.+?)(?:\^\{\})?$/.exec(line) ?? []
    if (commit !== undefined && name !== undefined) commits.set(name, commit)
  }
  return [...commits].map(([tag, commit]) => ({ tag, commit }))
}

/** What a remote has, by name. */
export interface RemoteRefs {
  readonly tags: ReadonlyArray<RemoteTag>
  /** The objects that tags name: for an annotated tag not its commit. */
  readonly objects: ReadonlyMap<string, string>
  /** The newest commits of branches. */
  readonly branches: ReadonlyMap<string, string>
  /** Name of its main branch, if it has one. */
  readonly main: string | undefined
}

/** Reads `git ls-remote --symref` for `HEAD`, branches and tags. */
export const parseRemoteRefs = (text: string): RemoteRefs => {
  const objects = new Map<string, string>()
  const branches = new Map<string, string>()
  for (const line of text.split("\n")) {
    const [, object, kind, name] = /^([0-9a-f]{40,64})\trefs\/(tags|heads)\/(.+)$/.exec(line) ?? []
    if (object === undefined || name === undefined || name.endsWith("^{}")) continue
    const named = kind === "tags" ? objects : branches
    named.set(name, object)
  }
  const [, main] = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(text) ?? []
  return { tags: parseRemoteTags(text), objects, branches, main: branches.has(main ?? "") ? main : undefined }
}

/** The changed paths of `git status --porcelain -z --untracked-files=no`. */
export const parseChanges = (text: string): ReadonlyArray<string> => {
  const fields = text.split("\0").filter((field) => field !== "")
  const paths: Array<string> = []
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] ?? ""
    paths.push(field.slice(3))
    // A rename is followed by the old name.
    if (/^[RC]|^.[RC]/.test(field)) index++
  }
  return paths
}
