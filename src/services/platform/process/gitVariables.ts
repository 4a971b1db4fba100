import { Config, ConfigProvider, Effect, Option } from "effect"

/**
 * Whose settings `git` uses: its owner's (of the machine and of the user), as for the console's own installation, or
 * none but those that the command brings.
 */
export type GitSettings = "owner" | "none"

/** What every `git` gets: no prompts, no network, no writing, and English. */
const ALWAYS = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1"
}

const WITHOUT_SETTINGS = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" }

/** `SUDO_UID` is whom git takes for the owner of files where the console was started by `sudo`. */
const OWNERS = ["HOME", "XDG_CONFIG_HOME", "SUDO_UID"]

/** The variables `git` runs with: a short list, and nothing else of the console's own environment. */
export const gitVariables = Effect.fnUntraced(function* (settings: GitSettings) {
  const environment = ConfigProvider.fromEnv()
  const found: Record<string, string> = {}
  for (const name of settings === "owner" ? ["PATH", ...OWNERS] : ["PATH"]) {
    const value = yield* Effect.option(Config.String(name).parse(environment))
    if (Option.isSome(value)) found[name] = value.value
  }
  const variables: Readonly<Record<string, string>> = {
    ...found,
    ...ALWAYS,
    ...(settings === "none" ? WITHOUT_SETTINGS : {})
  }
  return variables
})
