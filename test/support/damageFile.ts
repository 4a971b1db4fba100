import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from "node:fs"

const PAGE = 4096

/** Damages a database after its beginning, like a failing disk, and its log, which may still have the data. */
export const damageFile = (file: string): void => {
  const { size } = statSync(file)
  const fd = openSync(file, "r+")
  for (let at = PAGE; at < size; at += PAGE) writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, at)
  closeSync(fd)
  if (existsSync(`${file}-wal`)) writeFileSync(`${file}-wal`, "")
}
