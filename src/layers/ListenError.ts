import { Schema } from "effect"

/** A listener couldn't start; `message` says why and what to do. */
export class ListenError extends Schema.TaggedError<ListenError>()("ListenError", {
  message: Schema.String
}) {}

/** Explains a failed `listen`. */
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
        message: `port ${where.port} needs permissions this program doesn't have: set ${where.variable} to 1024 or more`
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ListenError({ message: `HOST ${where.host} isn't an address of this machine` })
    default:
      return new ListenError({
        message: `can't listen on ${where.host}, port ${where.port} (${String(code ?? "unknown")})`
      })
  }
}
