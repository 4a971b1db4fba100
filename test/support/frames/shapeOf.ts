/** The kinds of values seen at each path of some JSON, with "absent" where an object was there without the field. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>

/** Fields whose text is one of a few words that a client branches on; every other text is just text. */
const WORDS = new Set([
  "action",
  "ask",
  "code",
  "decision",
  "disposition",
  "hotReloadStatus",
  "kind",
  "lastRunStatus",
  "mode",
  "origin",
  "phase",
  "reason",
  "role",
  "sessionTarget",
  "state",
  "status",
  "stopReason",
  "stream",
  "type",
  "wakeMode"
])

/** Fields that identify the elements of an array. */
const DISCRIMINATORS = ["role", "type", "kind"]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keys that are values themselves, such as ids and session keys, count as one. */
const keyName = (key: string) => (/^[A-Za-z_$][A-Za-z_$0-9]*$/.test(key) && !/[0-9a-f]{8}/.test(key) ? key : "*")

/** The fixed words of a sentence: what it quotes, ids, numbers and lists of choices left out. */
const sentence = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{5,}/g, "…")
    .replaceAll(/\(use [^)]*\)/g, "(use …)")
    .replaceAll(/[a-z]+\/mock-[a-z]+|demo\/[a-z-]+/g, "…")

const kindOf = (value: unknown, path: string, field: string): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  if (isObject(value)) return "object"
  if (typeof value === "string") {
    if (path === ".error.message") return `"${sentence(value)}"`
    return WORDS.has(field) ? `"${value}"` : "text"
  }
  return path === ".ok" ? String(value) : typeof value
}

const elementPath = (element: unknown): string => {
  if (!isObject(element)) return "[]"
  const field = DISCRIMINATORS.find((name) => typeof element[name] === "string")
  return field === undefined ? "[]" : `[${field}=${element[field]}]`
}

/** Reduces several samples of one answer or event to paths and kinds; which values they held does not matter. */
export const shapeOf = (samples: ReadonlyArray<unknown>): Shape => {
  const kinds = new Map<string, Set<string>>()
  const objects = new Map<string, { seen: number; readonly fields: Map<string, number> }>()

  const visit = (value: unknown, path: string, field: string): void => {
    const found = kinds.get(path) ?? new Set()
    kinds.set(path, found.add(kindOf(value, path, field)))
    if (Array.isArray(value)) for (const element of value) visit(element, path + elementPath(element), "")
    if (!isObject(value)) return
    const about = objects.get(path) ?? { seen: 0, fields: new Map<string, number>() }
    objects.set(path, about)
    about.seen += 1
    const names = new Set<string>()
    for (const [key, inner] of Object.entries(value)) {
      const name = keyName(key)
      names.add(name)
      visit(inner, `${path}.${name}`, name)
    }
    for (const name of names) about.fields.set(name, (about.fields.get(name) ?? 0) + 1)
  }

  for (const sample of samples) visit(sample, "", "")
  for (const [path, { seen, fields }] of objects)
    for (const [name, count] of fields) if (count < seen) kinds.get(`${path}.${name}`)?.add("absent")
  return kinds
}
