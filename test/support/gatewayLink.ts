import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Deferred, Effect, Queue } from "effect"
import { WebSocket } from "ws"

type Json = Readonly<Record<string, unknown>>

/** A device key as stored by a client. */
export interface LinkDevice {
  readonly id: string
  readonly publicKey: string
  readonly privateKey: KeyObject
}

const fromPrivate = (privateKey: KeyObject): LinkDevice => {
  const raw = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-32)
  return {
    id: createHash("sha256").update(raw).digest("hex"),
    publicKey: raw.toString("base64url"),
    privateKey
  }
}

export const newDevice = (): LinkDevice => fromPrivate(generateKeyPairSync("ed25519").privateKey)

/** The device of the protocol's test vector: a private key of 32 bytes `01`. */
export const vectorDevice = (): LinkDevice =>
  fromPrivate(
    createPrivateKey({
      key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]),
      format: "der",
      type: "pkcs8"
    })
  )

export interface Frame {
  readonly type: string
  readonly id?: string
  readonly event?: string
  readonly ok?: boolean
  readonly payload?: Json
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Json } & Json
  readonly seq?: number
}

export interface LinkOptions {
  readonly token?: string
  readonly device?: LinkDevice
  readonly client?: Json
  readonly role?: string
  readonly scopes?: ReadonlyArray<string>
  readonly caps?: ReadonlyArray<string>
  readonly auth?: Json
  readonly minProtocol?: number
  readonly maxProtocol?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly version?: "v2" | "v3"
  /** Changes the device block after it was signed. */
  readonly tamper?: (device: Json) => Json
  readonly extra?: Json
}

const DEFAULT_SCOPES = ["operator.admin", "operator.read", "operator.write", "operator.approvals", "operator.pairing"]
const text = (value: unknown) => (typeof value === "string" ? value : "")

const isFrame = (value: unknown): value is Frame => typeof value === "object" && value !== null && "type" in value

/** A raw client of the gateway's wire protocol, for tests. */
export const openLink = Effect.fnUntraced(function* (url: string, headers: Readonly<Record<string, string>> = {}) {
  const frames: Array<Frame> = []
  const inbox = yield* Queue.unbounded<Frame>()
  const closed = yield* Deferred.make<{ readonly code: number; readonly reason: string }>()
  const refused = yield* Deferred.make<number>()
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(url, { headers, perMessageDeflate: false })),
    (ws) => Effect.sync(() => ws.terminate())
  )
  socket.on("message", (data) => {
    const frame: unknown = JSON.parse(data.toString())
    if (!isFrame(frame)) return
    frames.push(frame)
    Queue.offerUnsafe(inbox, frame)
  })
  socket.on("error", () => undefined)
  socket.on("unexpected-response", (_request, response) => {
    Deferred.doneUnsafe(refused, Effect.succeed(response.statusCode ?? 0))
    socket.terminate()
  })
  socket.on("close", (code, reason) => {
    Deferred.doneUnsafe(closed, Effect.succeed({ code, reason: reason.toString() }))
  })

  /** The first matching frame, among those received or still to come. */
  const waitFor = (fits: (frame: Frame) => boolean, from = 0): Effect.Effect<Frame> =>
    Effect.suspend(() => {
      const found = frames.slice(from).find(fits)
      return found === undefined
        ? Queue.take(inbox).pipe(Effect.andThen(Effect.suspend(() => waitFor(fits, from))), Effect.orDie)
        : Effect.succeed(found)
    })
  const send = (value: unknown) =>
    Effect.sync(() => socket.send(typeof value === "string" ? value : JSON.stringify(value)))
  let counter = 0
  const request = Effect.fnUntraced(function* (method: string, params: Json = {}) {
    counter += 1
    const id = `r${counter}`
    const from = frames.length
    yield* send({ type: "req", id, method, params })
    return yield* waitFor((frame) => frame.type === "res" && frame.id === id, from)
  })
  const call = Effect.fnUntraced(function* (method: string, params: Json = {}) {
    const answer = yield* request(method, params)
    if (answer.ok !== true) return yield* Effect.die(new Error(`${method}: ${JSON.stringify(answer.error)}`))
    return answer.payload ?? {}
  })
  const connect = Effect.fnUntraced(function* (options: LinkOptions) {
    const challenge = yield* waitFor((frame) => frame.event === "connect.challenge")
    const nonce = text(challenge.payload?.nonce)
    const signedAt = Number(challenge.payload?.ts)
    const client = { id: "gateway-client", version: "1.0.0", platform: "linux", mode: "ui", ...options.client }
    const role = options.role ?? "operator"
    const scopes = options.scopes ?? DEFAULT_SCOPES
    const auth = options.auth ?? (options.token === undefined ? undefined : { token: options.token })
    const version = options.version ?? "v3"
    const signedToken = text(auth?.token) || text(auth?.deviceToken)
    const device = options.device
    const fields =
      device === undefined
        ? []
        : [version, device.id, client.id, client.mode, role, scopes.join(","), signedAt, signedToken, nonce]
    if (version === "v3")
      fields.push(client.platform.trim().toLowerCase(), text(options.client?.deviceFamily).toLowerCase())
    const block =
      device === undefined
        ? undefined
        : {
            id: device.id,
            publicKey: device.publicKey,
            signature: sign(null, Buffer.from(fields.join("|")), device.privateKey).toString("base64url"),
            signedAt,
            nonce
          }
    return yield* request("connect", {
      minProtocol: options.minProtocol ?? 3,
      maxProtocol: options.maxProtocol ?? 4,
      client,
      role,
      scopes,
      caps: options.caps ?? ["tool-events"],
      ...(auth === undefined ? {} : { auth }),
      ...(block === undefined ? {} : { device: options.tamper === undefined ? block : options.tamper(block) }),
      ...options.extra
    })
  })
  return {
    socket,
    frames,
    waitFor,
    send,
    request,
    call,
    connect,
    closed: Deferred.await(closed),
    refused: Deferred.await(refused)
  }
})

export type Link = Effect.Success<ReturnType<typeof openLink>>
