import { Result } from "effect"
import { openDatabase } from "../../src/services/platform/sqlite/openDatabase.ts"
import { numberIn } from "../../src/services/platform/sqlite/rowGuards.ts"
import type { TranscriptFolder } from "../../src/services/transcripts/transcriptFolders.ts"
import { countTranscript, forgetTranscripts, readStates } from "../../src/services/usage/store/transcriptRows.ts"
import { usageAdditions, usageMigrations } from "../../src/services/usage/store/usageMigrations.ts"
import { TranscriptIndex } from "../../src/services/usage/transcripts/TranscriptIndex.ts"
import type { UsageSums } from "../../src/services/usage/UsageRow.ts"

/** The result of a scan of one file. */
export interface CountedFile {
  readonly name: string
  /** Input tokens of the counted responses in this file, and of those counted for the first time in this scan. */
  readonly now: number
  readonly ever: number
}

/** Counts into a database in memory, as the usage thread does. */
export class TranscriptCounts {
  readonly #database = Result.getOrThrow(
    openDatabase(
      { path: ":memory:", what: "a test's", migrations: usageMigrations, additions: usageAdditions, onDamage: "fail" },
      ""
    )
  )
  #index = new TranscriptIndex([])

  #number(sql: string, ...values: ReadonlyArray<string>): number {
    return numberIn(Result.getOrThrow(this.#database.read((db) => db.rows(sql, ...values))))
  }

  get #ever(): number {
    return this.#number("SELECT COALESCE(SUM(input), 0) FROM kept_usage")
  }

  /** The current count of a file in use. */
  #nowIn(name: string): number {
    return this.#number(
      `SELECT COALESCE(SUM(u.input), 0) FROM transcript_usage u JOIN transcripts t ON t.id = u.transcript
       WHERE t.live = 1 AND t.name = ?`,
      name
    )
  }

  scan(folder: TranscriptFolder): {
    readonly changes: ReadonlyArray<CountedFile>
    readonly gone: ReadonlyArray<string>
  } {
    const changes: Array<CountedFile> = []
    const gone = this.#index.scan(folder, (transcript) => {
      const before = this.#ever
      const path = `${folder.path}/${transcript.name}`
      const counted = this.#database.transaction((db) => Result.try(() => countTranscript(db, path, transcript)))
      const { state } = Result.getOrThrow(Result.getOrThrow(counted))
      const { name } = transcript
      changes.push({ name, now: this.#nowIn(name), ever: this.#ever - before })
      return state
    })
    this.#database.transaction((db) => Result.succeed(forgetTranscripts(db, gone)))
    return { changes, gone: gone.map(({ name }) => name) }
  }

  /** The current total. */
  get sums(): Pick<UsageSums, "messages" | "input" | "output" | "nanoDollars"> {
    const sum = (column: string) => this.#number(`SELECT COALESCE(SUM(${column}), 0) FROM current_usage`)
    return {
      messages: sum("messages"),
      input: sum("input"),
      output: sum("output"),
      nanoDollars: sum("nano_dollars")
    }
  }

  /** Continues like a new process. */
  restart(): void {
    this.#index = new TranscriptIndex(Result.getOrThrow(this.#database.read(readStates)))
  }
}
