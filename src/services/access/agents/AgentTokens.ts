import { createHash, randomBytes, randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, PubSub, Result, Schema, type Scope } from "effect"
import {
  AgentRight,
  type AgentToken,
  type CreateAgentToken,
  type NewAgentToken
} from "../../../contract/schema/access.ts"
import { type SqlConnection, Sqlite, type StoreError } from "../../platform/sqlite/Sqlite.ts"

/** Far more than the number of agents in practice. */
export const MOST_TOKENS = 100

/** No token has this id. */
export class AgentTokenNotFound extends Schema.TaggedError<AgentTokenNotFound>()("AgentTokenNotFound", {}) {}

/** The limit of tokens is reached. */
export class TooManyAgentTokens extends Schema.TaggedError<TooManyAgentTokens>()("TooManyAgentTokens", {}) {}

/** A token with this name exists; the board couldn't distinguish the two. */
export class AgentNameTaken extends Schema.TaggedError<AgentNameTaken>()("AgentNameTaken", {}) {}

/** The schema number isn't raised, because the version that a rollback restores doesn't need the table. */
export const agentTokenAdditions = `
  CREATE TABLE IF NOT EXISTS agent_tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    rights TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS agent_token_runs (
    token TEXT PRIMARY KEY REFERENCES agent_tokens (id) ON DELETE CASCADE,
    task TEXT NOT NULL
  ) STRICT;
`

export interface AgentTokensShape {
  /** All tokens, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AgentToken>, StoreError>
  readonly create: (
    input: CreateAgentToken
  ) => Effect.Effect<NewAgentToken, AgentNameTaken | TooManyAgentTokens | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, AgentTokenNotFound | StoreError>
  /** Whether there is a token with this id. */
  readonly isKnown: (id: string) => Effect.Effect<boolean, StoreError>
  /** The ids of tokens that are removed from now on. */
  readonly removed: Effect.Effect<PubSub.Subscription<string>, never, Scope.Scope>
  /** Finds the token with this secret and records its use; undefined if there is none. */
  readonly find: (secret: string) => Effect.Effect<AgentToken | undefined, StoreError>
}

/** The prefix of secrets, by which scanners recognise a leaked one. */
const PREFIX = "agc_"
const SECRET_BYTES = 32
/** A token's last use is stored once in this time: a write per call would cost more than most calls. */
const USE_NOTED_EVERY_MS = 60_000

const Row = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  rights: Schema.fromJsonString(Schema.Array(AgentRight)),
  created_at: Schema.Int,
  last_used_at: Schema.NullOr(Schema.Int),
  task: Schema.NullOr(Schema.String)
})
const decodeRow = Schema.decodeUnknownSync(Row)

const tokenOf = (row: unknown): AgentToken => {
  const { id, name, rights, created_at, last_used_at, task } = decodeRow(row)
  return {
    id,
    name,
    rights,
    createdAt: created_at,
    ...(last_used_at === null ? {} : { lastUsedAt: last_used_at }),
    ...(task === null ? {} : { taskId: task })
  }
}

/** A secret has 256 random bits, so a fast hash is enough; the lookup by hash leaks no timing about the secret. */
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

const SELECT_TOKENS = `SELECT id, name, rights, created_at, last_used_at, task
  FROM agent_tokens LEFT JOIN agent_token_runs ON token = id`

/** The tokens that agents use to call the console's tools. */
export class AgentTokens extends Context.Service<AgentTokens, AgentTokensShape>()(
  "agent-console/services/access/agents/AgentTokens"
) {
  static readonly layer = Layer.effect(
    AgentTokens,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const removed = yield* PubSub.unbounded<string>()

      const noteUse = (id: string, now: number) =>
        sqlite.transaction((db) => {
          db.run("UPDATE agent_tokens SET last_used_at = ? WHERE id = ?", now, id)
          return Result.void
        })

      const hasToken = (db: SqlConnection, id: string): boolean =>
        db.get("SELECT id FROM agent_tokens WHERE id = ?", id) !== undefined

      const insert = (db: SqlConnection, { id, name, rights, createdAt, taskId, token }: NewAgentToken): void => {
        db.run(
          "INSERT INTO agent_tokens VALUES (?, ?, ?, ?, ?, NULL)",
          id,
          name,
          hashOf(token),
          JSON.stringify(rights),
          createdAt
        )
        if (taskId !== undefined) db.run("INSERT INTO agent_token_runs VALUES (?, ?)", id, taskId)
      }

      return AgentTokens.of({
        list: sqlite.read((db) => db.all(`${SELECT_TOKENS} ORDER BY created_at, id`).map(tokenOf)),
        create: Effect.fn("AgentTokens.create")(function* ({ name, rights, taskId }) {
          const created: NewAgentToken = {
            id: randomUUID(),
            name,
            rights: [...new Set(rights)],
            createdAt: yield* Clock.currentTimeMillis,
            ...(taskId === undefined ? {} : { taskId }),
            token: `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`
          }
          return yield* sqlite.transaction((db): Result.Result<NewAgentToken, AgentNameTaken | TooManyAgentTokens> => {
            if (db.get("SELECT id FROM agent_tokens WHERE name = ?", name) !== undefined)
              return Result.fail(new AgentNameTaken())
            if (db.all("SELECT id FROM agent_tokens").length >= MOST_TOKENS)
              return Result.fail(new TooManyAgentTokens())
            insert(db, created)
            return Result.succeed(created)
          })
        }),
        remove: (id) =>
          sqlite
            .transaction((db): Result.Result<void, AgentTokenNotFound> => {
              if (!hasToken(db, id)) return Result.fail(new AgentTokenNotFound())
              db.run("DELETE FROM agent_tokens WHERE id = ?", id)
              return Result.void
            })
            .pipe(
              Effect.tap(() => PubSub.publish(removed, id)),
              Effect.uninterruptible
            ),
        isKnown: (id) => sqlite.read((db) => hasToken(db, id)),
        removed: PubSub.subscribe(removed),
        find: Effect.fn("AgentTokens.find")(function* (secret) {
          const token = yield* sqlite.read((db) => {
            const row = db.get(`${SELECT_TOKENS} WHERE hash = ?`, hashOf(secret))
            return row === undefined ? undefined : tokenOf(row)
          })
          if (token === undefined) return undefined
          const now = yield* Clock.currentTimeMillis
          // A full disk must not lock agents out.
          if (now - (token.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) yield* Effect.ignore(noteUse(token.id, now))
          return token
        })
      })
    })
  )
}
