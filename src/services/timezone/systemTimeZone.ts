import { Config, Effect, FileSystem, Option } from "effect"

const LINK = "/etc/localtime"

/** The names under which systems keep UTC. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)$/

/** The IANA name in the target of a system's time zone link, or nothing when it names none. */
export const zoneOfLink = (target: string): Option.Option<string> => {
  const name = /\/zoneinfo\/(?:posix\/|right\/)?([A-Za-z][\w+-]*(?:\/[\w+-]+)*)$/.exec(target)?.[1]
  return Option.fromUndefinedOr(name !== undefined && UTC.test(name) ? "UTC" : name)
}

/**
 * IANA name of this process's time zone. Read from the system's link where nothing says otherwise (`TZ`), because the
 * first use of `Intl` keeps 5 MB of its tables in memory.
 */
export const systemTimeZone = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const isChosen = Option.isSome(yield* Effect.orElseSucceed(Config.option(Config.String("TZ")), Option.none))
  const linked = isChosen ? Option.none() : Option.flatMap(yield* Effect.option(fs.readLink(LINK)), zoneOfLink)
  return Option.getOrElse(linked, () => Intl.DateTimeFormat().resolvedOptions().timeZone)
})
