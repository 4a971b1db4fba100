import { Schema } from "effect"

/** Where a running console says how commands on its machine reach it: in its own folder, readable by its user alone. */
export const ACCESS_FILE = "local-access.json"

/** The header with the secret. */
export const SECRET_HEADER = "x-agent-console-secret"

/** What's in the file. */
export const AccessFile = Schema.fromJsonString(
  Schema.Struct({
    /** The console's own address, such as `http://127.0.0.1:3080`. */
    address: Schema.String,
    secret: Schema.String
  })
)
