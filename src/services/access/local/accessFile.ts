import { Schema } from "effect"

/** The file by which commands find the running console, in its own folder and readable only by its user. */
export const ACCESS_FILE = "local-access.json"

/** The required permission bits of the file. */
export const ACCESS_MODE = 0o600

/** The header with the secret for the routes that commands use. */
export const SECRET_HEADER = "x-agent-console-secret"

/** The content of the file. */
export const Access = Schema.Struct({
  /** The console's own address, such as `http://127.0.0.1:3080`. */
  address: Schema.String,
  secret: Schema.String,
  /** The process that wrote it; when it has ended, another program may use its port. */
  pid: Schema.optionalKey(Schema.Int)
})
export type Access = typeof Access.Type

export const AccessFile = Schema.fromJsonString(Access)
