import type { Generation } from "../wire/generations.ts"
import { approvalMethods } from "./approvalMethods.ts"
import { chatMethods } from "./chatMethods.ts"
import { cronMethods } from "./cronMethods.ts"
import { deviceMethods } from "./deviceMethods.ts"
import type { GatewayMethod } from "./method.ts"
import { rewindMethods } from "./rewindMethods.ts"
import { sessionMethods } from "./sessionMethods.ts"
import { systemMethods } from "./systemMethods.ts"

/** Every method of the embedded gateway by name. */
export const ALL_METHODS: ReadonlyMap<string, GatewayMethod> = new Map(
  [
    ...systemMethods,
    ...sessionMethods,
    ...chatMethods,
    ...cronMethods,
    ...deviceMethods,
    ...approvalMethods,
    ...rewindMethods
  ].map((entry) => [entry.name, entry])
)

const UNLISTED = ["sessions.get", "sessions.usage", "chat.inject", "sessions.resolve"]

const NEW_ONLY = ["exec.approval.list", "plugin.approval.list", "sessions.rewind"]

/** The methods `hello-ok` lists; some that exist are not listed, as with a real gateway. */
export const listedMethods = (generation: Generation): ReadonlyArray<string> =>
  [...ALL_METHODS.keys()].filter(
    (name) => !UNLISTED.includes(name) && (generation === "new" || !NEW_ONLY.includes(name))
  )
