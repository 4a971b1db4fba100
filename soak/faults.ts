import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { ConsoleUnderSoak, startGateway } from "./processes.ts"
import type { Wire } from "./Wire.ts"

/** What faults can affect. */
export interface Scene {
  readonly subject: ConsoleUnderSoak
  readonly gateway: ReturnType<typeof startGateway>
  readonly wire: Wire
  /** A small separate disk for everything the console writes; without one, it never fills up. */
  readonly disk: string | undefined
}

/** One fault, which ends with this effect. */
export interface Fault {
  readonly name: string
  readonly inject: (scene: Scene) => Promise<void>
}

const HOUR = 60 * 60 * 1000

const fill = (disk: string) => {
  for (const size of [1 << 20, 4096, 1]) {
    try {
      for (let number = 0; number < 5000; number += 1)
        writeFileSync(`${disk}/filler-${size}-${number}`, Buffer.alloc(size))
    } catch {
      // Full for chunks of this size.
    }
  }
}

const makeRoom = (disk: string) => {
  for (const name of readdirSync(disk)) if (name.startsWith("filler-")) rmSync(`${disk}/${name}`)
}

const GATEWAY_KILLED: Fault = {
  name: "gateway killed, restarted after 1.5 s without memory",
  inject: async ({ gateway }) => {
    await gateway.kill()
    await sleep(1500)
    await gateway.restart()
  }
}

const CONSOLE_KILLED: Fault = {
  name: "console killed (-9) and restarted",
  inject: ({ subject }) => subject.killAndRestart()
}

const CUT: Fault = {
  name: "network cut for 3 s",
  inject: async ({ wire }) => {
    wire.cut()
    await sleep(3000)
    wire.mend()
  }
}

const STALL: Fault = {
  name: "network silent for 5 s",
  inject: async ({ wire }) => {
    wire.stall()
    await sleep(5000)
    wire.mend()
  }
}

const DISK_FULL: Fault = {
  name: "disk full for 4 s",
  inject: async ({ disk }) => {
    if (disk === undefined) return
    fill(disk)
    await sleep(4000)
    makeRoom(disk)
  }
}

const jump = (hours: number): Fault => ({
  name: `clock set ${Math.abs(hours)} h ${hours > 0 ? "ahead" : "back"}`,
  inject: async ({ subject }) => subject.jump(hours * HOUR)
})

/**
 * The faults in turn; the console itself is only killed in the first half, so that the rest shows how one process holds
 * up.
 */
export const faultsInTurn = (hasDisk: boolean, mayKillConsole: boolean): ReadonlyArray<Fault> => [
  GATEWAY_KILLED,
  CUT,
  ...(mayKillConsole ? [CONSOLE_KILLED] : []),
  jump(1),
  STALL,
  GATEWAY_KILLED,
  ...(hasDisk ? [DISK_FULL] : []),
  jump(-2),
  ...(mayKillConsole ? [CONSOLE_KILLED] : []),
  jump(1)
]
