/** How this console is told apart from the others that share its board. */
export interface ConsoleName {
  /** The same after a restart. */
  readonly device: string
  /** This process: a lease on a run is its own. */
  readonly owner: string
  /** For people. */
  readonly name: string
  /** Its gateway's address; two consoles with the same one can carry on each other's runs. */
  readonly gateway: string
  /** How long its runs stay its own without a sign of life from it. */
  readonly leaseMs?: number
}

/** After this long without a sign of life from its console, a run is another one's. Only the database's clock counts. */
const LEASE_MS = 30_000

/** The length of this console's leases. */
export const leaseMs = (self: ConsoleName): number => self.leaseMs ?? LEASE_MS

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The gateway's address as every console would write it: one on this machine's loopback is this machine's. */
export const gatewayName = (gatewayUrl: string, machine: string): string => {
  const { hostname, port, protocol } = new URL(gatewayUrl)
  const host = LOOPBACK.test(hostname) ? machine : hostname
  return `${host}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`
}
