import type { ConnectRequest } from "../wire/frames.ts"

/** How an unpaired device is treated: paired silently, held for approval, or always refused. */
export type DevicePolicy = "auto" | "manual" | "refuse"

/** A paired device and the token it may use instead of the shared one. */
export interface PairedDevice {
  readonly deviceId: string
  readonly publicKey: string
  readonly platform: string
  readonly deviceFamily: string | undefined
  readonly clientId: string
  readonly clientMode: string
  readonly displayName: string | undefined
  readonly role: string
  readonly scopes: ReadonlyArray<string>
  readonly token: string | undefined
  readonly createdAtMs: number
  readonly approvedAtMs: number
}

/** A device waiting for approval. */
export interface PendingDevice {
  readonly requestId: string
  readonly deviceId: string
  readonly publicKey: string
  readonly displayName: string | undefined
  readonly platform: string
  readonly deviceFamily: string | undefined
  readonly clientId: string
  readonly clientMode: string
  readonly role: string
  readonly scopes: ReadonlyArray<string>
  readonly isRepair: boolean
  readonly ts: number
}

/** The approval request after a device asked. */
export interface AskedApproval {
  readonly request: PendingDevice
  /** Whether it's a new one, which operators are notified about. */
  readonly created: boolean
  /** Requests of the same device that it replaced. */
  readonly superseded: ReadonlyArray<PendingDevice>
}

export type PairingReason = "not-paired" | "scope-upgrade" | "role-upgrade" | "metadata-upgrade"

/** What to do with a device that has proved its key. */
export type PairingDecision =
  | { readonly kind: "paired" }
  | { readonly kind: "pair" }
  | { readonly kind: "widen" }
  | { readonly kind: "refuse"; readonly reason: PairingReason }

const ADMIN = "operator.admin"
/** A request that isn't renewed for this long is dropped. */
const PENDING_MS = 300_000

/** Scopes missing from those approved; admin implies every other one. */
export const missingScopes = (approved: ReadonlyArray<string>, asked: ReadonlyArray<string>) =>
  approved.includes(ADMIN) ? [] : asked.filter((scope) => !approved.includes(scope))

/**
 * Decides about a device whose signature is good. A changed platform or family is refused everywhere; new devices
 * and wider scopes are accepted silently on a local connection while the policy is `auto`.
 */
export const decidePairing = (input: {
  readonly known: PairedDevice | undefined
  readonly request: ConnectRequest
  readonly local: boolean
  readonly policy: DevicePolicy
}): PairingDecision => {
  const { known, request, local, policy } = input
  if (policy === "refuse") return { kind: "refuse", reason: "not-paired" }
  const silent = local && policy === "auto"
  if (known === undefined) return silent ? { kind: "pair" } : { kind: "refuse", reason: "not-paired" }
  const family = request.client.deviceFamily
  if (known.platform !== request.client.platform || (known.deviceFamily !== undefined && known.deviceFamily !== family))
    return { kind: "refuse", reason: "metadata-upgrade" }
  if (known.role !== (request.role ?? "operator")) return { kind: "refuse", reason: "role-upgrade" }
  if (missingScopes(known.scopes, request.scopes ?? []).length === 0) return { kind: "paired" }
  return silent ? { kind: "widen" } : { kind: "refuse", reason: "scope-upgrade" }
}

/**
 * Whether an open request stands for what a device asks now: the scopes are covered, or the same where that is
 * wanted.
 */
const covers = (wantsSame: boolean, open: PendingDevice, request: ConnectRequest): boolean => {
  const asked = new Set(request.scopes ?? [])
  if (open.publicKey !== request.device?.publicKey || open.role !== (request.role ?? "operator")) return false
  return wantsSame
    ? asked.size === open.scopes.length && open.scopes.every((scope) => asked.has(scope))
    : missingScopes(open.scopes, [...asked]).length === 0
}

/** Devices of the gateway: paired and pending, kept while the process lives. */
export class DeviceTable {
  readonly paired = new Map<string, PairedDevice>()
  readonly pending = new Map<string, PendingDevice>()
  policy: DevicePolicy
  private readonly wantsSameScopes: boolean
  /** Signature payload versions that count. */
  signatures: ReadonlyArray<"v2" | "v3"> = ["v3", "v2"]

  constructor(policy: DevicePolicy, wantsSameScopes: boolean) {
    this.policy = policy
    this.wantsSameScopes = wantsSameScopes
  }

  /** Drops requests that are too old. */
  prune(now: number): void {
    for (const [id, open] of this.pending) if (now - open.ts > PENDING_MS) this.pending.delete(id)
  }

  /** Pairs a device or extends its scopes; keeps its token. */
  pair(request: ConnectRequest, now: number, newToken: () => string): PairedDevice | undefined {
    const device = request.device
    if (device === undefined) return undefined
    const known = this.paired.get(device.id)
    const scopes = [...new Set([...(known?.scopes ?? []), ...(request.scopes ?? [])])]
    const paired: PairedDevice = {
      deviceId: device.id,
      publicKey: device.publicKey,
      platform: request.client.platform,
      deviceFamily: request.client.deviceFamily ?? known?.deviceFamily,
      clientId: request.client.id,
      clientMode: request.client.mode,
      displayName: request.client.displayName,
      role: request.role ?? "operator",
      scopes,
      token: known?.token ?? newToken(),
      createdAtMs: known?.createdAtMs ?? now,
      approvedAtMs: now
    }
    this.paired.set(device.id, paired)
    return paired
  }

  /**
   * Notes that a device asked to be approved. Each device has one open request: asking again renews it, and asking for
   * something else makes a new one, with a new id, for all that was asked.
   */
  ask(request: ConnectRequest, now: number, newId: () => string): AskedApproval | undefined {
    const device = request.device
    if (device === undefined) return undefined
    this.prune(now)
    const open = [...this.pending.values()].filter(({ deviceId }) => deviceId === device.id)
    const [known] = open
    if (known !== undefined && covers(this.wantsSameScopes, known, request)) {
      const renewed = { ...known, ts: now }
      this.pending.set(known.requestId, renewed)
      return { request: renewed, created: false, superseded: [] }
    }
    for (const { requestId } of open) this.pending.delete(requestId)
    const pending: PendingDevice = {
      requestId: newId(),
      deviceId: device.id,
      publicKey: device.publicKey,
      displayName: request.client.displayName,
      platform: request.client.platform,
      deviceFamily: request.client.deviceFamily,
      clientId: request.client.id,
      clientMode: request.client.mode,
      role: request.role ?? "operator",
      scopes: [...new Set([...open.flatMap(({ scopes }) => scopes), ...(request.scopes ?? [])])],
      isRepair: this.paired.has(device.id),
      ts: now
    }
    this.pending.set(pending.requestId, pending)
    return { request: pending, created: true, superseded: open }
  }

  /** Approves an open request; `undefined` if there's none with that id. */
  approve(requestId: string, now: number, newToken: () => string): PairedDevice | undefined {
    this.prune(now)
    const pending = this.pending.get(requestId)
    if (pending === undefined) return undefined
    this.pending.delete(requestId)
    const known = this.paired.get(pending.deviceId)
    const { requestId: _, isRepair: __, ts: ___, ...facts } = pending
    const paired: PairedDevice = {
      ...facts,
      scopes: [...new Set([...(known?.scopes ?? []), ...pending.scopes])],
      token: known?.token ?? newToken(),
      createdAtMs: known?.createdAtMs ?? now,
      approvedAtMs: now
    }
    this.paired.set(paired.deviceId, paired)
    return paired
  }

  /** Gives a device a new token, or none. */
  setToken(deviceId: string, token: string | undefined): PairedDevice | undefined {
    const known = this.paired.get(deviceId)
    if (known === undefined) return undefined
    const changed = { ...known, token }
    this.paired.set(deviceId, changed)
    return changed
  }
}

/** A paired device as `device.pair.list` shows it. */
export const pairedView = (device: PairedDevice) => {
  const { token, role, scopes, ...facts } = device
  return {
    ...facts,
    role,
    roles: [role],
    scopes,
    tokens: token === undefined ? [] : [{ role, scopes, createdAtMs: device.createdAtMs }]
  }
}

/** A pending device as `device.pair.list` and the pairing events show it. */
export const pendingView = (device: PendingDevice) => ({ ...device, roles: [device.role], silent: false })
