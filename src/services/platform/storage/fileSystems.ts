import { statfsSync } from "node:fs"
// Imported from its own module, because threads open databases without the rest of the library.
import * as Result from "effect/Result"

interface Kind {
  readonly name: string
  /** Whether files can change there without this machine's kernel, which then tells nobody. */
  readonly isShared: boolean
}

/** Linux's numbers (`statfs`) of what isn't a disk of this machine. */
const KINDS: Readonly<Record<number, Kind>> = {
  26985: { name: "NFS", isShared: true },
  20859: { name: "SMB", isShared: true },
  4283649346: { name: "SMB", isShared: true },
  4266872130: { name: "SMB", isShared: true },
  1702057286: { name: "FUSE", isShared: true },
  16914839: { name: "9P", isShared: true },
  12805120: { name: "Ceph", isShared: true },
  1397113167: { name: "AFS", isShared: true },
  2020557398: { name: "a shared folder of VirtualBox", isShared: true },
  3133910204: { name: "a shared folder of VMware", isShared: true },
  19780: { name: "FAT", isShared: false },
  538032816: { name: "exFAT", isShared: false }
}

/** What a folder is on, if that isn't an ordinary disk; always `undefined` on systems other than Linux. */
export const fileSystemOf = (folder: string): Kind | undefined => {
  if (process.platform !== "linux") return undefined
  // 32-bit numbers, which some systems give with their sign.
  return Result.getOrUndefined(Result.try(() => KINDS[statfsSync(folder).type >>> 0]))
}
