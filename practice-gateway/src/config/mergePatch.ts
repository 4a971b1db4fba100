import type { JsonObject } from "../wire/frames.ts"

/** What stands in place of a secret. */
const REDACTED = "__OPENCLAW_REDACTED__"

/** A JSON object, as opposed to a list or a single value. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Merges as RFC 7396 says: objects key by key, null takes a key away, everything else replaces. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch))
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  return Object.fromEntries(merged)
}

/** The paths of the lists that were in `before` and aren't any more, or have fewer entries. */
export const removedLists = (before: unknown, after: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(before)) return Array.isArray(after) && after.length >= before.length ? [] : [path]
  if (!isObject(before)) return []
  const next = isObject(after) ? after : {}
  return Object.entries(before).flatMap(([key, value]) =>
    removedLists(value, next[key], path === "" ? key : `${path}.${key}`)
  )
}

/** The configuration as it's told: headers are secrets. */
export const redacted = (value: unknown, key = ""): unknown => {
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, key === "headers" ? REDACTED : redacted(inner, name)])
  )
}
