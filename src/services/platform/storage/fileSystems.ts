import { statfsSync } from "node:fs"
// Imported from its own module, because threads open databases without the rest of the library.
import * as Result from "effect/Result"

interface Kind {
  readonly name: string
  /** Whether files can change without this machine's kernel, which then reports no change. */
  readonly isShared: boolean
}

const shared = (name: string): Kind => ({ name, isShared: true })
const local = (name: string): Kind => ({ name, isShared: false })

/**
 * Linux's numbers (`statfs`) of file systems without locks or notifications: networks, programs (FUSE, also used for
 * shared folders of containers and virtual machines), drives of Windows in WSL (9P), and disks of other systems.
 */
const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0x6969, shared("NFS")],
  [0x517b, shared("SMB")],
  [0xff53_4d42, shared("SMB")],
  [0xfe53_4d42, shared("SMB")],
  [0x6573_5546, shared("FUSE")],
  [0x0102_1997, shared("9P")],
  [0x00c3_6400, shared("Ceph")],
  [0x5346_414f, shared("AFS")],
  [0x5f46_d002, shared("GlusterFS")],
  [0x1983_0803, shared("GPFS")],
  [0x786f_4256, shared("a shared folder of VirtualBox")],
  [0xbacb_acbc, shared("a shared folder of VMware")],
  [0x7c7c_6673, shared("a shared folder of Parallels")],
  [0x4d44, local("FAT")],
  [0x2011_bab0, local("exFAT")]
])

/** The file system with this number, unless it's an ordinary disk; 32-bit systems give some numbers with a sign. */
export const fileSystemKind = (type: number): Kind | undefined => KINDS.get(type >>> 0)

/** The file system of a folder, unless it's an ordinary disk; always `undefined` on systems other than Linux. */
export const fileSystemOf = (folder: string): Kind | undefined =>
  process.platform === "linux"
    ? Result.getOrUndefined(Result.try(() => fileSystemKind(statfsSync(folder).type)))
    : undefined
