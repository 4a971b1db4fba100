import type { SettingsShape } from "../settings/Settings.ts"

const THIS_MACHINE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether an address is one of this machine, by its name alone: what a name server says can change. */
export const isOnThisMachine = (address: string): boolean =>
  URL.canParse(address) && THIS_MACHINE.test(new URL(address).hostname)

/** Whether the console may ask there: the demo promises that nothing leaves its machine. */
export const mayReach = ({ isDemo }: Pick<SettingsShape, "isDemo">, address: string): boolean =>
  !isDemo || isOnThisMachine(address)
