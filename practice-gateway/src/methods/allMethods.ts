import type { Generation } from "../Generation.ts"
import { agentFileMethods } from "./agentFileMethods.ts"
import { agentMethods } from "./agentMethods.ts"
import { approvalMethods } from "./approvalMethods.ts"
import { chatMethods } from "./chatMethods.ts"
import { configMethods } from "./configMethods.ts"
import { cronMethods } from "./cronMethods.ts"
import { deviceMethods } from "./deviceMethods.ts"
import { messageMethods } from "./messageMethods.ts"
import type { GatewayMethod } from "./method.ts"
import { questionMethods } from "./questionMethods.ts"
import { rewindMethods } from "./rewindMethods.ts"
import { searchMethods } from "./searchMethods.ts"
import { sessionMethods } from "./sessionMethods.ts"
import { systemMethods } from "./systemMethods.ts"

/** All methods of the embedded gateway, by name. */
export const ALL_METHODS: ReadonlyMap<string, GatewayMethod> = new Map(
  [
    ...systemMethods,
    ...configMethods,
    ...agentMethods,
    ...agentFileMethods,
    ...sessionMethods,
    ...chatMethods,
    ...cronMethods,
    ...deviceMethods,
    ...approvalMethods,
    ...questionMethods,
    ...rewindMethods,
    ...searchMethods,
    ...messageMethods
  ].map((entry) => [entry.name, entry])
)

const UNLISTED = ["sessions.get", "sessions.usage", "chat.inject", "sessions.resolve"]

/** The methods `hello-ok` lists; some existing ones aren't listed, as with a real gateway. */
export const listedMethods = (generation: Generation): ReadonlyArray<string> =>
  [...ALL_METHODS.keys()].filter((name) => !UNLISTED.includes(name) && !generation.lacks.has(name))
