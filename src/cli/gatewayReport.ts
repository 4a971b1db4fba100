import type { GatewayEntry } from "../contract/schema/gateway.ts"

const WORDS = { ok: "connected", connecting: "connecting", unreachable: "not reachable", refused: "refused" } as const

/** How one gateway stands, in a line. */
export const gatewayState = ({ device, state, version }: GatewayEntry): string => {
  if (state === "ok" && device === "pending") return "connected, but its device waits for approval"
  if (state === "ok" && device === "refused") return "connected, but its device was refused"
  return state === "ok" && version !== undefined ? `connected (version ${version})` : WORDS[state]
}

/** Whether everything works. */
export const isWell = ({ device, state }: GatewayEntry): boolean => state === "ok" && device === "approved"

/** All of them as a table, each with what's wrong below it. */
export const gatewayTable = (gateways: ReadonlyArray<GatewayEntry>): string => {
  const rows = gateways.map((one) => [one.id, one.name, one.url, gatewayState(one)])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .flatMap((row, index) => {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")
      const reason = gateways[index]?.reason
      return reason === undefined ? [line.trimEnd()] : [line.trimEnd(), `    ${reason}`]
    })
    .join("\n")
}
