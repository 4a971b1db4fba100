import { createECDH, randomBytes } from "node:crypto"
import { NodeServices } from "@effect/platform-node"
import { Clock, Context, Effect, Layer } from "effect"
import type { InboxChange, InboxItem } from "../../src/contract/schema/inbox.ts"
import { SqliteLive, SqliteMemory } from "../../src/layers/Sqlite.ts"
import { Settings, type SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { Sqlite } from "../../src/services/platform/sqlite/Sqlite.ts"
import { PushDevices } from "../../src/services/push/PushDevices.ts"
import { PushSender } from "../../src/services/push/PushSender.ts"
import {
  type NoResponse,
  type OutgoingRequest,
  type PushResponse,
  PushTransport
} from "../../src/services/push/PushTransport.ts"
import { Recipients } from "../../src/services/push/Recipients.ts"
import { SeenItems } from "../../src/services/push/SeenItems.ts"
import { VapidIdentity } from "../../src/services/push/VapidIdentity.ts"
import { type BrowserKeys, decryptPush } from "./decryptPush.ts"
import { diskInStep } from "./diskInStep.ts"
import { temporaryFolder } from "./fileServices.ts"
import { testSettings } from "./testSettings.ts"

/** A request to a push service. */
export interface Sent {
  /** The name of the subscription. */
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Epoch milliseconds of the test's clock. */
  readonly at: number
}

/** How a push service answers a message; `index` counts all of them from 0. */
export type ServerReady = (sent: Sent, index: number) => Effect.Effect<PushResponse, NoResponse>

const ORIGIN = "https://updates.push.services.mozilla.com"

/** An open item with a test's fields. */
export const waitingItem = (about: Partial<InboxItem> = {}): InboxItem => ({
  id: "item-1",
  gatewayId: "primary",
  kind: "approval",
  title: "rm -r old",
  detail: "An agent wants to run this in /work",
  createdAt: 0,
  state: "open",
  actions: [
    { id: "allow-once", label: "Allow once" },
    { id: "deny", label: "Deny" }
  ],
  ...about
})

export const opened = (about: Partial<InboxItem> = {}): InboxChange => ({ action: "opened", item: waitingItem(about) })
export const ended = (about: Partial<InboxItem> = {}): InboxChange => ({
  action: "resolved",
  item: waitingItem({ state: "resolved", actions: [], ...about })
})

/** The push services without the network, on the test's clock; `answering` replaces the vendors. */
export const pushServices = Effect.fnUntraced(function* (
  options: {
    readonly settings?: Partial<SettingsShape>
    /** Whether the database is a file in the settings' home, for data that survives a restart. */
    readonly keepsStore?: boolean
    /** Whether the key is read, or made, ahead; by default it is. */
    readonly readsKey?: boolean
  } = {}
) {
  const browsers = new Map<string, BrowserKeys>()
  const sent: Array<Sent> = []
  let answering: ServerReady = () => Effect.succeed({ status: 201 })

  const payloadOf = (name: string, { body }: OutgoingRequest): Readonly<Record<string, unknown>> => {
    const keys = browsers.get(name)
    // A browser of an earlier run can't be read any more, and others than browsers get plain text.
    if (keys === undefined && !/^https?:/.test(name)) return {}
    const text = keys === undefined ? Buffer.from(body) : decryptPush(Buffer.from(body), keys)
    return Object.fromEntries(Object.entries(JSON.parse(text.toString())))
  }
  const Transport = Layer.succeed(PushTransport, {
    post: Effect.fnUntraced(function* (request) {
      const name = request.url.startsWith(ORIGIN) ? request.url.slice(ORIGIN.length + 1) : request.url
      const at = yield* Clock.currentTimeMillis
      const message = { name, payload: payloadOf(name, request), headers: request.headers, at }
      sent.push(message)
      return yield* answering(message, sent.length - 1)
    })
  })
  const settings = testSettings({ svcHome: yield* temporaryFolder, ...options.settings })
  const layer = PushSender.layer.pipe(
    Layer.provide(Recipients.layer),
    Layer.provide(Transport),
    Layer.provideMerge(
      Layer.mergeAll(PushDevices.layer, SeenItems.layer).pipe(Layer.provideMerge(VapidIdentity.layer))
    ),
    Layer.provideMerge(options.keepsStore === true ? Layer.provide(SqliteLive, diskInStep) : SqliteMemory),
    Layer.provide(Settings.layerOf(settings)),
    Layer.provide(NodeServices.layer)
  )
  const context = yield* Layer.build(layer)
  const devices = Context.get(context, PushDevices)
  // Its file is read outside of the test's clock, once.
  if (options.readsKey !== false) yield* Context.get(context, VapidIdentity).key

  /** A new browser that isn't subscribed yet. */
  const browser = (name: string) => {
    const receiver = createECDH("prime256v1")
    const p256dh = receiver.generateKeys("base64url")
    const auth = randomBytes(16)
    browsers.set(name, { receiver, auth })
    return { endpoint: `${ORIGIN}/${name}`, keys: { p256dh, auth: auth.toString("base64url") } }
  }

  return {
    settings,
    sent,
    sender: Context.get(context, PushSender),
    seen: Context.get(context, SeenItems),
    vapid: Context.get(context, VapidIdentity),
    sqlite: Context.get(context, Sqlite),
    devices,
    browser,
    /** Subscribes a new browser. */
    subscribe: (name: string, choices: Omit<Parameters<typeof devices.subscribe>[0], "endpoint" | "keys"> = {}) =>
      Effect.map(devices.subscribe({ ...browser(name), ...choices }), ({ device }) => device),
    answers: (next: ServerReady) => {
      answering = next
    }
  }
})
