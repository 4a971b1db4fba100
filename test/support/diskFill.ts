import { rmSync, writeFileSync } from "node:fs"
import { Result } from "effect"

const SIZES = [65_536, 4096, 1]
const MOST = 4096

const fillerOf = (disk: string, size: number, number: number) => `${disk}/filler-${size}-${number}`

/** Fills the disk to the last byte. */
export const fillDisk = (disk: string): void => {
  for (const size of SIZES) {
    for (let number = 0; number < MOST; number += 1) {
      const written = Result.try(() => writeFileSync(fillerOf(disk, size, number), "x".repeat(size)))
      if (Result.isFailure(written)) break
    }
  }
}

/** Frees a number of blocks of 64 KB, or everything. */
export const makeRoom = (disk: string, pieces?: number): void => {
  for (const size of pieces === undefined ? SIZES : SIZES.slice(0, 1)) {
    for (let number = 0; number < (pieces ?? MOST); number += 1) {
      rmSync(fillerOf(disk, size, number), { force: true })
    }
  }
}
