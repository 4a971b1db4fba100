import type { EventName } from "../../../../../src/contract/ConsoleEvent.ts"
import { type Fields, fieldsOf, parseJson } from "../../../../../src/contract/looseFields.ts"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  readMemorySection,
  replaceMemorySection
} from "../../../../../src/contract/memory/memoryMarkdown.ts"
import { keyParts, PRIMARY, qualifiedKey } from "../../../../../src/contract/qualifiedKey.ts"
import { isVersion, textVersion } from "../../../../../src/contract/textVersion.ts"
import { createObservable } from "../../../../src/core/common/Observable.ts"
import { createApiClient } from "../../../../src/core/link/ApiClient.ts"
import type { EventListener, EventStream, GatewayName } from "../../../../src/core/link/apiTypes.ts"
import { asAnswer } from "../../support/asAnswer.ts"
import { FakeGateway } from "../../support/FakeGateway.ts"

interface Asked {
  readonly agent: string | null
  readonly gateway: string
}

type Answer = { readonly status: number; readonly body: unknown }

const ok = (body: unknown): Answer => ({ status: 200, body })
const asRead = (content: string) => ({ ok: true, content, version: textVersion(content) })
const refuse = (status: number, error: string): Answer => ({ status, body: { error, details: `said ${error}` } })

/** The console's server as the knowledge screens meet it, in memory; others change it too. */
export class FakeServer {
  memory = ""
  days: Record<string, string> = {}
  readonly files = new Map<string, { content: string; mtime: number }>()
  readonly folders = new Set<string>()
  readonly documents = new Map<string, string>()
  log: Array<unknown> = []
  readonly trash = new Map<string, { path: string; content: string }>()
  isPermanent = false
  /** Everything that was asked, as `METHOD path`. */
  readonly asked: Array<string> = []
  /** Answers in place of the server's own, by path. */
  readonly instead = new Map<string, Answer>()
  /** Runs before a write is looked at, as another writer would. */
  beforeWrite: () => void = () => {}
  /** Of another agent: its folder is not there yet. */
  isNew = false
  /** All gateways; their agents are in `agents` as `@<gateway>:<agent>`. */
  readonly gateways = createObservable<ReadonlyArray<GatewayName> | null>(null)
  /** Added gateways that can't be reached. */
  readonly down = new Set<string>()
  /** Agents beside the default one, each with things of its own. */
  readonly agents = new Map<string, FakeServer>()
  readonly connected = createObservable(true)
  private clock = 1
  private readonly listeners = new Map<string, Set<EventListener>>()

  readonly events: EventStream = {
    connected: this.connected,
    on: (name, listener) => {
      const all = this.listeners.get(name) ?? new Set()
      this.listeners.set(name, all.add(listener))
      return () => all.delete(listener)
    },
    start: () => {},
    stop: () => {}
  }

  readonly api = createApiClient({
    ...new FakeGateway().env,
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(url)
      const gateway = searchParams.get("gateway") ?? PRIMARY
      const named = searchParams.get("agent")
      const agent = named === null ? null : qualifiedKey(gateway, named)
      this.asked.push(`${init.method} ${pathname}${agent === null ? "" : ` of ${agent}`}`)
      const body = fieldsOf(parseJson(typeof init.body === "string" ? init.body : ""))
      const { status, body: answer } =
        (gateway === PRIMARY ? this.instead.get(pathname) : undefined) ??
        this.answerOf({ agent, gateway }, `${init.method} ${pathname}`, searchParams, body)
      return new Response(JSON.stringify(answer), { status, headers: { "retry-after": "1" } })
    }
  })

  /** Another agent, whose events name it. */
  addAgent(id: string): FakeServer {
    const other = new FakeServer()
    const { gatewayId, key } = keyParts(id)
    const owner = gatewayId === PRIMARY ? { agent: key } : { agent: key, gatewayId }
    other.emit = (event, data) => this.emit(event, { ...fieldsOf(data), ...owner })
    this.agents.set(id, other)
    return other
  }

  emit(event: EventName, data: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener({ event, data: asAnswer(data), ts: 0 })
  }

  /** Somebody else saves a file. */
  save(path: string, content: string): void {
    this.clock += 1
    const mtime = this.clock
    this.files.set(path, { content, mtime })
    this.emit("file.changed", { path, mtime })
  }

  count(request: string): number {
    return this.asked.filter((one) => one === request).length
  }

  private answerOf({ agent, gateway }: Asked, request: string, query: URLSearchParams, body: Fields): Answer {
    if (this.down.has(gateway)) return refuse(502, "gateway_failure")
    if (request === "GET /api/agents") {
      const own = [...this.agents.keys()].map(keyParts).filter(({ gatewayId }) => gatewayId === gateway)
      const ids = [...(gateway === PRIMARY ? ["main"] : []), ...own.map(({ key }) => key)]
      return ok({
        ok: true,
        agents: ids.map((id) => ({
          id,
          name: `The ${id}`,
          isDefault: id === "main",
          workspace: this.agents.get(id)?.isNew === true ? "new" : "ready"
        }))
      })
    }
    if (agent === null) return this.answer(request, query, body)
    const other = this.agents.get(agent)
    return other === undefined ? refuse(404, "unknown_agent") : other.answer(request, query, body)
  }

  private answer(request: string, query: URLSearchParams, body: Fields): Answer {
    const path = String(body.path ?? query.get("path") ?? "")
    switch (request) {
      case "GET /api/memories":
        return ok([
          ...memoryOutline(this.memory),
          ...Object.entries(this.days).flatMap(([date, text]) =>
            memoryOutline(text).flatMap((entry) =>
              entry.type === "section" ? [{ ...entry, type: "daily", date }] : []
            )
          )
        ])
      case "POST /api/memories": {
        const next = addMemoryItem(this.memory, String(body.section), String(body.text))
        this.memory = next ?? this.memory
        return ok({ ok: true, result: { written: next !== undefined, section: body.section, vectorStore: "stored" } })
      }
      case "GET /api/memories/section": {
        const content = readMemorySection(this.memoryOf(query.get("date")), query.get("title") ?? "")
        return content === undefined ? refuse(404, "not_found") : ok(asRead(content))
      }
      case "PUT /api/memories/section":
        return this.putSection(body)
      case "DELETE /api/memories": {
        const text = String(body.query)
        const next =
          body.type === "item" ? deleteMemoryItem(this.memory, text).file : deleteMemorySection(this.memory, text)
        if (next === undefined || next === this.memory) return refuse(404, "not_found")
        this.memory = next
        return ok({ ok: true, result: { deleted: 1 } })
      }
      case "GET /api/workspace":
        return ok({
          ok: true,
          files: ["soul", "user"].map((key) => ({
            key,
            filename: `${key.toUpperCase()}.md`,
            exists: this.documents.has(key)
          }))
        })
      case "GET /api/agentlog":
        return ok(this.log)
      default:
        return request.includes("/api/workspace/") ? this.document(request, body) : this.file(request, path, body)
    }
  }

  private memoryOf(date: unknown): string {
    return typeof date === "string" ? (this.days[date] ?? "") : this.memory
  }

  private putSection(body: Fields): Answer {
    this.beforeWrite()
    const title = String(body.title)
    const text = this.memoryOf(body.date)
    const before = readMemorySection(text, title)
    if (before === undefined) return refuse(404, "not_found")
    if (!isVersion(typeof body.version === "string" ? body.version : undefined, before)) return refuse(409, "conflict")
    const next = replaceMemorySection(text, title, String(body.content)) ?? text
    if (typeof body.date === "string") this.days[body.date] = next
    else this.memory = next
    return ok({ ok: true, version: textVersion(readMemorySection(next, title) ?? "") })
  }

  private document(request: string, body: Fields): Answer {
    const key = request.slice(request.lastIndexOf("/") + 1)
    const content = this.documents.get(key)
    if (request.startsWith("GET")) return content === undefined ? refuse(404, "not_found") : ok(asRead(content))
    const version = typeof body.version === "string" || body.version === null ? body.version : undefined
    if (!isVersion(version, content)) return refuse(409, "conflict")
    this.documents.set(key, String(body.content))
    return ok({ ok: true, version: textVersion(String(body.content)) })
  }

  private file(request: string, path: string, body: Fields): Answer {
    const found = this.files.get(path)
    switch (request) {
      case "GET /api/files/tree":
        return ok(this.nodes(path))
      case "GET /api/files/read":
        return found === undefined ? refuse(404, "not_found") : ok(found)
      case "POST /api/files/write":
        if ((found?.mtime ?? 0) !== body.mtime) return refuse(409, "conflict")
        this.save(path, String(body.content))
        return ok({ ok: true, mtime: this.clock })
      case "POST /api/files/mkdir":
        this.folders.add(path)
        return ok({ ok: true, path })
      case "POST /api/files/rename":
        return this.relocate(path, `${path.slice(0, path.lastIndexOf("/") + 1)}${String(body.name)}`)
      case "POST /api/files/move":
        return this.relocate(path, String(body.to))
      case "POST /api/files/delete":
        if (found === undefined) return refuse(404, "not_found")
        this.files.delete(path)
        this.trash.set(`undo-${path}`, { path, content: found.content })
        return ok({ ok: true, path, undo: this.isPermanent ? null : `undo-${path}` })
      case "POST /api/files/restore": {
        const entry = this.trash.get(String(body.undo))
        if (entry === undefined) return refuse(404, "not_found")
        this.trash.delete(String(body.undo))
        this.save(entry.path, entry.content)
        return ok({ ok: true, path: entry.path })
      }
      case "GET /api/files/trash": {
        const entries = [...this.trash].map(([undo, entry]) => ({ undo, path: entry.path, deletedAt: 5 }))
        return ok({ ok: true, isPermanent: this.isPermanent, entries })
      }
      default:
        return refuse(404, "not_found")
    }
  }

  private relocate(from: string, to: string): Answer {
    for (const [path, file] of [...this.files]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.files.delete(path)
      this.files.set(to + path.slice(from.length), file)
    }
    return ok({ ok: true, path: to })
  }

  private nodes(folder: string): ReadonlyArray<object> {
    const inside = [...this.files.keys()].filter((path) => folder === "" || path.startsWith(`${folder}/`))
    const rest = inside.map((path) => (folder === "" ? path : path.slice(folder.length + 1)))
    const names = new Set(rest.map((path) => path.split("/")[0] ?? ""))
    for (const made of this.folders) if (folder === "" && !made.includes("/")) names.add(made)
    return [...names].sort().map((name) => {
      const path = folder === "" ? name : `${folder}/${name}`
      if (this.files.has(path)) return { name, path, type: "file" }
      return { name, path, type: "directory", children: this.nodes(path) }
    })
  }
}
