import { constants, type Stats } from "node:fs"
import { open, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, Result, Schema } from "effect"

/** Numeric addresses only: a name such as `localhost` may resolve to an address of another program. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/

/** Whether an address is an HTTP server on this machine's loopback. */
export const isLoopbackServer = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { hostname, origin, protocol } = new URL(address)
  return protocol === "http:" && origin === address && LOOPBACK.test(hostname)
}

const BASE_PATH = /^(?:\/[A-Za-z0-9._-]+)+$/

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
  /** The path below which it answers there; absent for the root. */
  basePath: Schema.optionalKey(Schema.String.check(Schema.isPattern(BASE_PATH))),
  secret: Schema.String,
  /** The process that wrote it; when it has ended, another program may use its port. */
  pid: Schema.optionalKey(Schema.Int)
})
export type Access = typeof Access.Type

export const AccessFile = Schema.fromJsonString(Access)

const PERMISSION_BITS = 0o777
const OTHERS_WRITE = 0o022

type Facts = Pick<Stats, "mode" | "uid" | "isFile" | "isDirectory">

/** `user` is undefined where the system has no user ids. */
const isOthers = ({ uid }: Facts, user: number | undefined) => user !== undefined && uid !== user

/** Why a folder's access file isn't believed, if so: somebody else could have put it there. */
const folderProblem = (folder: Facts, user: number | undefined): string | undefined => {
  if (!folder.isDirectory()) return "isn't in a folder"
  if (isOthers(folder, user)) return "is in a folder of another user"
  return (folder.mode & OTHERS_WRITE) === 0 ? undefined : "is in a folder that other users can write to"
}

/** Why an open access file isn't believed, if so. */
const fileProblem = (file: Facts, user: number | undefined): string | undefined => {
  if (!file.isFile()) return "isn't a regular file"
  if (isOthers(file, user)) return "belongs to another user"
  return (file.mode & PERMISSION_BITS) === ACCESS_MODE ? undefined : "isn't readable and writable by its user alone"
}

/** Why what an access file says isn't believed, if so. */
const addressProblem = ({ address }: Access): string | undefined =>
  isLoopbackServer(address) ? undefined : "names an address that isn't on this machine's loopback"

/** No console is running with this folder. */
export class NoAccess extends Schema.TaggedError<NoAccess>()("NoAccess", {}) {}

/** The file may not be the console's; `message` gives the reason and the remedy. */
export class AccessRefused extends Schema.TaggedError<AccessRefused>()("AccessRefused", { message: Schema.String }) {}

/** Ten times the size of the console's file. */
const MAX_BYTES = 4096
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const refused = (problem: string) =>
  new AccessRefused({
    message: `${ACCESS_FILE} in the console's folder ${problem}, so it isn't trusted: remove it and restart the console as this user`
  })

/** The file may be the console's, but other users could replace it in this folder. */
const openFolder = (problem: string) =>
  new AccessRefused({
    message: `${ACCESS_FILE} in the console's folder ${problem}, so it isn't trusted: set SVC_HOME to a folder that this user owns and nobody else can write to`
  })

const damaged = () =>
  new AccessRefused({ message: `${ACCESS_FILE} in the console's folder is damaged: restart the console` })

const PROBLEMS: Readonly<Record<string, string>> = {
  ELOOP: "is a symbolic link",
  EACCES: "can't be read by this user",
  EPERM: "can't be read by this user"
}

const failureOf = (cause: unknown): NoAccess | AccessRefused => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return code === "ENOENT" || code === "ENOTDIR" ? new NoAccess() : refused(PROBLEMS[code] ?? "can't be opened")
}

const attempt = <A>(call: () => Promise<A>) => Effect.tryPromise({ try: call, catch: failureOf })

const refuseIf = (problem: string | undefined, refuse = refused) =>
  problem === undefined ? Effect.void : Effect.fail(refuse(problem))

/** A process of another user isn't the console, even with the same id. */
const isOwnProcess = (pid: number): boolean => Result.isSuccess(Result.try(() => process.kill(pid, 0)))

const readOpen = Effect.fnUntraced(function* (path: string, user: number | undefined) {
  const handle = yield* Effect.acquireRelease(
    attempt(() => open(path, FLAGS)),
    (opened) => Effect.ignore(attempt(() => opened.close()))
  )
  const info = yield* attempt(() => handle.stat())
  yield* refuseIf(fileProblem(info, user))
  return info.size > MAX_BYTES ? yield* damaged() : yield* attempt(() => handle.readFile("utf8"))
}, Effect.scoped)

/**
 * Finds the console that runs with this folder; its address includes the base path. Its server receives a secret, so the
 * file is accepted only if no other user can have written it, and only for an address on this machine.
 */
export const readAccess = Effect.fn("readAccess")(function* (
  svcHome: string
): Effect.fn.Return<Access, NoAccess | AccessRefused> {
  const user = process.getuid?.()
  yield* refuseIf(folderProblem(yield* attempt(() => stat(svcHome)), user), openFolder)
  const text = yield* readOpen(posix.join(svcHome, ACCESS_FILE), user)
  const access = yield* Schema.decodeUnknownEffect(AccessFile)(text).pipe(Effect.mapError(damaged))
  yield* refuseIf(addressProblem(access))
  if (access.pid !== undefined && !isOwnProcess(access.pid)) return yield* new NoAccess()
  return { ...access, address: `${access.address}${access.basePath ?? ""}` }
})
