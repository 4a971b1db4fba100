import { setTimeout as sleep } from "node:timers/promises"
import { type Answer, fieldOf, type Tally } from "./Tally.ts"

/** How many tasks one writer has on the board. */
const MAX_TASKS = 150
const PAUSE_MS = 15
const COLUMNS = ["backlog", "todo", "review", "done"]

interface Told {
  version: number
  title: string
  /** A change without a response: it may or may not have been made. */
  unsure: boolean
  /** The same for its deletion. */
  mayBeGone: boolean
  /** Its run changes it without us. */
  runs: boolean
}

const versionOf = (answer: Answer): number => Number(fieldOf(answer?.body, "version"))

/** Creates, changes, moves, runs and deletes tasks, and remembers every acknowledged change. */
export const boardWriter = (tally: Tally, name: string) => {
  const tasks = new Map<string, Told>()
  let turn = 0

  const create = async () => {
    const title = `${name} ${turn}`
    const answer = await tally.send("POST", "/api/kanban/tasks", {
      title,
      description: "d".repeat(500),
      labels: [name]
    })
    const id = fieldOf(answer?.body, "id")
    if (answer?.status !== 201 || typeof id !== "string") return
    tasks.set(id, { version: 1, title, unsure: false, mayBeGone: false, runs: false })
    tally.count("changes acknowledged")
  }

  /** Sends one change of a task and takes in what came of it. */
  const change = async (id: string, told: Told, method: string, path: string, body: object, title = told.title) => {
    const answer = await tally.send(method, `/api/kanban/tasks/${id}${path}`, body)
    if (answer === undefined) told.unsure = true
    else if (answer.status === 200) {
      Object.assign(told, { version: versionOf(answer), title, unsure: false })
      tally.count("changes acknowledged")
    } else if (answer.status === 409) {
      const latest = fieldOf(answer.body, "latest")
      const version = Number(fieldOf(latest, "version") ?? told.version)
      if (!told.unsure && !told.runs) tally.problem(`a false conflict: ${name} ${id}`)
      Object.assign(told, { version, title: String(fieldOf(latest, "title") ?? told.title), unsure: false })
    } else if (answer.status === 404 && !told.mayBeGone) tally.problem(`a task is missing: ${name} ${id}`)
  }

  const remove = async (id: string, told: Told) => {
    const answer = await tally.send("DELETE", `/api/kanban/tasks/${id}`)
    if (answer === undefined) told.mayBeGone = true
    else if (answer.status === 200 || (answer.status === 404 && told.mayBeGone)) tasks.delete(id)
  }

  const step = async () => {
    turn += 1
    const known = [...tasks]
    const [id, told] = known[turn % Math.max(1, known.length)] ?? []
    if (id === undefined || told === undefined || turn % 4 === 0) return create()
    if (known.length > MAX_TASKS) return remove(id, told)
    const { version } = told
    if (turn % 97 === 0) {
      told.runs = true
      return change(id, told, "POST", "/execute", {})
    }
    if (turn % 3 === 0) {
      const targetStatus = COLUMNS[turn % COLUMNS.length]
      return change(id, told, "POST", "/reorder", { version, targetStatus, targetIndex: turn % 7 })
    }
    const title = `${name} ${turn}`
    return change(id, told, "PATCH", "", { version, title }, title)
  }

  const verify = async () => {
    const found = new Map<string, unknown>()
    for (let offset = 0; ; ) {
      const answer = await tally.send("GET", `/api/kanban/tasks?limit=200&label=${name}&offset=${offset}`)
      const items = fieldOf(answer?.body, "items")
      if (!Array.isArray(items)) return tally.problem("couldn't read the board")
      for (const item of items) found.set(String(fieldOf(item, "id")), item)
      offset += items.length
      if (fieldOf(answer?.body, "hasMore") !== true) break
    }
    for (const [id, told] of tasks) {
      const item = found.get(id)
      if (item === undefined) {
        if (!told.mayBeGone) tally.problem(`lost: task ${id} of ${name}`)
        continue
      }
      const version = Number(fieldOf(item, "version"))
      if (version < told.version) tally.problem(`lost: version ${told.version} of task ${id}, found ${version}`)
      if (version === told.version && fieldOf(item, "title") !== told.title) tally.problem(`lost: title of task ${id}`)
    }
    tally.count("tasks compared", tasks.size)
  }

  const run = async (until: () => boolean) => {
    while (!until()) {
      await step()
      await sleep(PAUSE_MS)
    }
  }
  return { run, verify }
}
