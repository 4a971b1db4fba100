import { chatMethods } from "./chatMethods.ts"
import { cronMethods } from "./cronMethods.ts"
import { deviceMethods } from "./deviceMethods.ts"
import type { GatewayMethod } from "./method.ts"
import { sessionMethods } from "./sessionMethods.ts"
import { systemMethods } from "./systemMethods.ts"

/** Every method of the embedded gateway by name. */
export const ALL_METHODS: ReadonlyMap<string, GatewayMethod> = new Map(
  [...systemMethods, ...sessionMethods, ...chatMethods, ...cronMethods, ...deviceMethods].map((entry) => [
    entry.name,
    entry
  ])
)

const UNLISTED = ["sessions.get", "sessions.usage", "chat.inject", "sessions.resolve"]

/** The methods `hello-ok` lists; some that exist are not listed, as with a real gateway. */
export const LISTED_METHODS = [...ALL_METHODS.keys()].filter((name) => !UNLISTED.includes(name))
