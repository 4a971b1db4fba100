/** Places that hold the same kind of thing: a field may be there in any of them. */
const SAME: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(POST|PATCH) \/api\/kanban\/tasks[^.]*$/, "Task"],
  [/^(GET \/api\/kanban\/tasks\.items\[\]|kanban\.changed\.data\.task|error\.latest)$/, "Task"],
  [/^(GET \/api\/kanban\/proposals\.proposals\[\]|kanban\.changed\.data\.proposal)$/, "Proposal"],
  [/^(PUT \/api\/kanban\/config|kanban\.changed\.data\.config)$/, "GET /api/kanban/config"],
  [/^((POST|PATCH) \/api\/crons(\/:id|\/:id\/toggle)?|GET \/api\/crons\.result\.jobs\[\])$/, "CronJob"],
  [/^(POST \/api\/crons\/:id\/run|GET \/api\/crons\/:id\/runs\.result\.entries\[\])$/, "CronRun"],
  [/^(GET \/api\/inbox\.items\[\]|GET \/api\/inbox\/:id|POST \/api\/inbox\/:id\/resolve)$/, "InboxItem"],
  [/^(inbox\.changed\.data|error)\.item$/, "InboxItem"],
  [/^GET \/api\/agent-[ab]-limits$/, "Limits"],
  [/^Limits\.(five_hour|session|weekly)_limit$/, "Limit"],
  [/^(GET \/api\/agentlog\[\]|agentlog\.added\.data\.entry)$/, "AgentLogEntry"],
  [/^GET \/api\/files\/tree(\[\]\.children)+$/, "GET /api/files/tree"],
  [/^(GET \/api\/transcribe\/config\.download|PUT \/api\/transcribe\/config\.download)$/, "stt.download.data"],
  [/^PUT (\/api\/(transcribe\/config|tts\/config|language))$/, "GET $1"],
  [/^((POST|PATCH) \/api\/push\/subscriptions(\/:id)?|GET \/api\/push\.subscriptions\[\])$/, "PushDevice"],
  [/^(GET|PUT) \/api\/voice-phrases(\/:id)?$/, "Phrases"]
]

const ID =
  /^(\/api\/(?:kanban\/tasks|kanban\/proposals|push\/subscriptions|crons|inbox|workspace|voice-phrases))\/[^/]+/

/** What a request is called here, whichever thing it names. */
export const requestName = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname.replace(ID, "$1/:id")}`

const placeOf = (place: string): string => SAME.reduce((name, [pattern, kind]) => name.replace(pattern, kind), place)

/** Which fields of the server's answers are read, and which of these were there at least once. */
export class ReadFields {
  private readonly answers = new Map<string, string>()
  private readonly read = new Set<string>()
  private readonly there = new Set<string>()
  /** Every request and event that was decoded. */
  readonly decoded = new Set<string>()

  /** Says where a text comes from, before the page parses it. */
  told(text: string, source: string): void {
    this.answers.set(text, source)
  }

  /** The value of a text; of an answer one that notes what is read of it. */
  parsed(text: string, value: unknown): unknown {
    const source = this.answers.get(text)
    if (source === undefined) return value
    this.decoded.add(source)
    return this.watched(value, source)
  }

  /** Fields that were read and never there. */
  get absent(): ReadonlyArray<string> {
    return [...this.read].filter((field) => !this.there.has(field)).sort()
  }

  get count(): number {
    return this.there.size
  }

  private watched(value: unknown, at: string): unknown {
    if (typeof value !== "object" || value === null) return value
    const place = placeOf(at)
    return new Proxy(value, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key)
        if (typeof key === "symbol") return found
        if (Array.isArray(target)) return /^\d+$/.test(key) ? this.watched(found, `${place}[]`) : found
        if (key === "toJSON" || key === "then") return found
        const field = `${place}.${key}`
        this.read.add(field)
        if (Object.hasOwn(target, key)) this.there.add(field)
        return this.watched(found, field)
      }
    })
  }
}
