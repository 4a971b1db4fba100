import { Schema } from "effect"

/** Where a running console says how commands on its machine reach it: in its own folder, readable by its user alone. */
export const ACCESS_FILE = "local-access.json"

/** Permission bits of the file; with any others it isn't believed. */
export const ACCESS_MODE = 0o600

/** The header with the secret, which opens the routes that commands use: the search and the gateways. */
export const SECRET_HEADER = "x-agent-console-secret"

/** What's in the file. */
export const Access = Schema.Struct({
  /** The console's own address, such as `http://127.0.0.1:3080`. */
  address: Schema.String,
  secret: Schema.String,
  /** The process that wrote it. Once that has ended, anybody may have its port. */
  pid: Schema.optionalKey(Schema.Int)
})
export type Access = typeof Access.Type

export const AccessFile = Schema.fromJsonString(Access)
