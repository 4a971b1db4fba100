import { Schema } from "effect"

/** A listener could not start; `message` is one sentence that says why and what to do. */
export class ListenError extends Schema.TaggedError<ListenError>()("ListenError", {
  message: Schema.String
}) {}

/** Puts a failed `listen` in words (SPEC "The server exits with a clear error when the port is already in use"). */
export const listenError = (
  cause: unknown,
  where: { readonly variable: string; readonly host: string; readonly port: number }
): ListenError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return new ListenError({
        message: `port ${where.port} on ${where.host} is already in use: stop the other program or set ${where.variable} to a free port`
      })
    case "EACCES":
      return new ListenError({
        message: `port ${where.port} needs rights this program does not have: set ${where.variable} to 1024 or more`
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ListenError({ message: `HOST ${where.host} is not an address of this machine` })
    default:
      return new ListenError({
        message: `cannot listen on ${where.host}, port ${where.port} (${String(code ?? "unknown")})`
      })
  }
}
