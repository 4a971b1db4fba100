import { Config, Effect, FileSystem, Option } from "effect"

const LINK = "/etc/localtime"

/** Names systems use for UTC. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)$/

/** The IANA name in the target of the system's time zone link, if any. */
export const zoneOfLink = (target: string): Option.Option<string> => {
  const name = /\/zoneinfo\/(?:posix\/|right\/)?([A-Za-z][\w+-]*(?:\/[\w+-]+)*)$/.exec(target)?.[1]
  return Option.fromUndefinedOr(name !== undefined && UTC.test(name) ? "UTC" : name)
}

/**
 * IANA name of this process's time zone. Without `TZ` it's read from the system's link, because the first use of `Intl`
 * loads 5 MB of tables and keeps them in memory.
 */
export const systemTimeZone = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const isChosen = Option.isSome(yield* Effect.orElseSucceed(Config.option(Config.String("TZ")), Option.none))
  const linked = isChosen ? Option.none() : Option.flatMap(yield* Effect.option(fs.readLink(LINK)), zoneOfLink)
  return Option.getOrElse(linked, () => Intl.DateTimeFormat().resolvedOptions().timeZone)
})
