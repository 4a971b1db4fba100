import { below } from "../common/basePath.ts"
import type { Environment } from "./Environment.ts"

/** The page's own connection to the console. */
export const LIVE_PATH = "/api/live"
/** A gateway's connection, relayed by the console. */
export const RELAY_PATH = "/ws"

/** The address of a WebSocket of the console's. */
export const socketAddress = ({ origin }: Pick<Environment, "origin">, path: string): string =>
  `${origin.replace(/^http/, "ws")}${below(path)}`
