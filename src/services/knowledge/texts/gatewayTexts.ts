import { posix } from "node:path"
import { Effect, Schema } from "effect"
import type { GatewayClientShape } from "../../gateway/client/GatewayClient.ts"
import type { PathLocksShape } from "../../platform/storage/PathLocks.ts"
import { WorkspaceForbidden } from "../agents/Workspace.ts"
import type { LooseText, TextEdit } from "../files/TextFiles.ts"
import { type AgentTexts, datesIn, type TextsError } from "./AgentTexts.ts"

const LIMIT = { timeout: "10 seconds" } as const
/** How often an edit is retried after a concurrent change. */
const ATTEMPTS = 3
/** Days listed by the gateway in one answer, its maximum. */
const MOST_DAYS = 500

const Text = Schema.Struct({
  file: Schema.Struct({
    missing: Schema.Boolean,
    content: Schema.optionalKey(Schema.String),
    /** The size of the file in bytes. */
    size: Schema.optionalKey(Schema.Finite),
    /** The hash that only newer gateways return, and compare at a write. */
    hash: Schema.optionalKey(Schema.String)
  })
})
const Listed = Schema.Struct({
  files: Schema.Array(Schema.Struct({ name: Schema.String, missing: Schema.optionalKey(Schema.Boolean) }))
})
const Folder = Schema.Struct({ entries: Schema.Array(Schema.Struct({ name: Schema.String, kind: Schema.String })) })
const Day = Schema.Struct({ file: Schema.Struct({ encoding: Schema.String, content: Schema.String }) })

/** The text has changed since it was read. */
class WrittenMeanwhile extends Schema.TaggedError<WrittenMeanwhile>()("WrittenMeanwhile", {}) {}

const forbidden = (message: string) => new WorkspaceForbidden({ message })

interface GatewayTextsOptions {
  readonly gatewayId: string
  readonly agentId: string
  readonly client: GatewayClientShape
  readonly locks: PathLocksShape
}

/**
 * The texts of an agent on the machine of an added gateway, through the gateway's methods: every generation provides
 * the long-term memory and most documents (`agents.files.*`), newer ones also the daily files (`agents.workspace.*`).
 */
export const gatewayTexts = ({ agentId, client, gatewayId, locks }: GatewayTextsOptions): AgentTexts => {
  const isDay = (name: string) => name.includes("/")

  const get = (name: string) =>
    client.request("agents.files.get", { agentId, name }, Text, LIMIT).pipe(
      Effect.map(({ file }) => file),
      // The gateway provides certain names only, whether or not other files exist.
      Effect.catchIf(
        ({ code }) => code === "INVALID_REQUEST",
        () => forbidden(`This gateway doesn't hand out ${name}: read and edit it on the gateway's machine.`)
      )
    )

  /** Newer gateways provide more than they list. */
  const find = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
    const { files } = yield* client.request("agents.files.list", { agentId }, Listed, LIMIT)
    const found = yield* Effect.forEach(
      names,
      (name) => {
        const listed = files.find((file) => file.name === name)
        if (listed !== undefined) return Effect.succeed([{ name, exists: listed.missing !== true }])
        return get(name).pipe(
          Effect.map(({ missing }) => [{ name, exists: !missing }]),
          Effect.catchTag("WorkspaceForbidden", () => Effect.succeed([]))
        )
      },
      { concurrency: "unbounded" }
    )
    return found.flat()
  })

  const readDay = (name: string) =>
    client.request("agents.workspace.get", { agentId, path: name }, Day, LIMIT).pipe(
      Effect.map(({ file }) => (file.encoding === "utf8" ? { text: file.content, isDamaged: false } : undefined)),
      // The gateway returns the same error for a missing file.
      Effect.catchIf(
        ({ code }) => code === "INVALID_REQUEST",
        () => Effect.succeed(undefined)
      )
    )

  /** The gateway replaces invalid bytes with U+FFFD, which is longer than the original. */
  const loose = ({ content = "", missing, size }: typeof Text.Type.file): LooseText | undefined =>
    missing ? undefined : { text: content, isDamaged: size !== undefined && size !== Buffer.byteLength(content) }

  const readLoosely = (name: string): Effect.Effect<LooseText | undefined, TextsError> =>
    isDay(name) ? readDay(name) : Effect.map(get(name), loose)

  const whole = (name: string, found: LooseText | undefined) =>
    found?.isDamaged === true
      ? forbidden(`${name} isn't UTF-8 text: convert it on the gateway's machine first, so that nothing is lost.`)
      : Effect.succeed(found?.text)

  const attempt = Effect.fnUntraced(function* <A, E>(
    name: string,
    rule: (text: string | undefined) => Effect.Effect<TextEdit<A>, E>
  ) {
    const file = yield* get(name)
    const { text, value } = yield* rule(yield* whole(name, loose(file)))
    if (text === undefined) return value
    const { hash } = file
    const seen = hash === undefined ? {} : { expectedHash: hash }
    yield* client.request("agents.files.set", { agentId, name, content: text, ...seen }, Schema.Unknown, LIMIT).pipe(
      Effect.catchIf(
        ({ code }) => hash !== undefined && code === "INVALID_REQUEST",
        () => new WrittenMeanwhile()
      )
    )
    return value
  })

  return {
    owner: { agent: agentId, gatewayId },
    sessionKey: `agent:${agentId}:main`,
    fileOf: posix.basename,
    find,
    days: Effect.gen(function* () {
      const connection = yield* client.connection
      if (connection?.methods.has("agents.workspace.list") !== true) return []
      const params = { agentId, path: "memory", limit: MOST_DAYS }
      const { entries } = yield* client.request("agents.workspace.list", params, Folder, LIMIT).pipe(
        // An agent without daily memories has no such folder.
        Effect.catchIf(
          ({ code }) => code === "INVALID_REQUEST",
          () => Effect.succeed({ entries: [] })
        )
      )
      return datesIn(entries.flatMap(({ kind, name }) => (kind === "file" ? [name] : [])))
    }),
    read: (name) => Effect.flatMap(readLoosely(name), (found) => whole(name, found)),
    readLoosely,
    edit: (name, rule) =>
      isDay(name)
        ? Effect.fail(
            forbidden("The gateway shows this day and takes no changes to it: edit it on the gateway's machine.")
          )
        : attempt(name, rule).pipe(
            // The rule is applied to the new text.
            Effect.retry({ times: ATTEMPTS - 1, while: (error) => error instanceof WrittenMeanwhile }),
            Effect.catchIf(
              (error) => error instanceof WrittenMeanwhile,
              () => forbidden("Someone else keeps changing this text. Try again in a moment.")
            ),
            locks.withLock(`${gatewayId}/${agentId}/${name}`)
          )
  }
}
