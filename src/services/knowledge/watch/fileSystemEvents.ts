import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"

/**
 * File systems of Linux whose changes from the other side aren't told to whoever watches, by the number that `statfs`
 * gives them: those of networks and of programs (FUSE, which is also how containers on a desktop and virtual machines
 * share folders), 9p (drives of Windows in WSL), and the shared folders of VirtualBox, VMware and Parallels.
 */
const WITHOUT_EVENTS: ReadonlySet<number> = new Set([
  0x65_73_55_46, // FUSE
  0x69_69, // NFS
  0x51_7b, // SMB
  0xff_53_4d_42, // CIFS
  0xfe_53_4d_42, // SMB 2
  0x01_02_19_97, // 9p
  0x78_6f_42_56, // VirtualBox
  0xba_cb_ac_bc, // VMware
  0x7c_7c_66_73, // Parallels
  0x00_c3_64_00, // Ceph
  0x53_46_41_4f, // AFS
  0x5f_46_d0_02, // GlusterFS by its own client
  0x19_83_08_03 // GPFS
])

const MAGIC_BITS = 32

/** Whether the file system with this number leaves out changes; signed numbers are those of 32-bit systems. */
export const isWithoutEvents = (type: number): boolean => WITHOUT_EVENTS.has(type < 0 ? type + 2 ** MAGIC_BITS : type)

/** The number of a path's file system, or that of its nearest folder which exists. */
const typeOf = async (path: string): Promise<number | undefined> => {
  const found = await statfs(path).then(
    ({ type }) => type,
    () => undefined
  )
  const parent = dirname(path)
  return found ?? (parent === path ? undefined : typeOf(parent))
}

/** Whether watching these paths would miss changes made from elsewhere. */
export const missesChanges = (paths: ReadonlyArray<string>): Effect.Effect<boolean> =>
  process.platform === "linux"
    ? Effect.map(
        Effect.forEach(paths, (path) => Effect.promise(() => typeOf(path))),
        (types) => types.some((type) => type !== undefined && isWithoutEvents(type))
      )
    : Effect.succeed(false)
