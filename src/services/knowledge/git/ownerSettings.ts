import { posix } from "node:path"
import { Effect } from "effect"
import { gitVariables } from "../../platform/process/gitVariables.ts"
import { runGit } from "../../platform/process/runGit.ts"
import type { GitConfig } from "./gitConfig.ts"
import { OWNERS_PATTERN } from "./ownSettings.ts"

/** The console user's global git settings. */
export interface OwnerSettings {
  readonly config: GitConfig
  /** File with patterns of files to ignore; `""` for none. */
  readonly excludesFile: string
}

const parse = (output: string): GitConfig =>
  new Map(
    output.split("\0").flatMap((record) => {
      const [name = "", ...value] = record.split("\n")
      return name === "" ? [] : [[name, value.length === 0 ? "true" : value.join("\n")] as const]
    })
  )

/** Reads the owner's settings with git, from the console's own git directory, which has no settings. */
export const ownerSettings = Effect.fn("ownerSettings")(function* (own: string) {
  const { text, isOk } = yield* runGit({
    directory: own,
    args: ["config", "-z", "--get-regexp", OWNERS_PATTERN],
    ceilings: [],
    variables: { GIT_DIR: own }
  })
  // It fails if there are none.
  const config = parse(isOk ? text : "")
  const { HOME: home = "", XDG_CONFIG_HOME: xdg = posix.join(home, ".config") } = yield* gitVariables("owner")
  const named = config.get("core.excludesfile") ?? posix.join(xdg, "git", "ignore")
  const path = named.startsWith("~/") ? posix.join(home, named.slice(2)) : named
  return { config, excludesFile: posix.isAbsolute(path) ? path : "" } satisfies OwnerSettings
})
