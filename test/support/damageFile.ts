import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from "node:fs"

const PAGE = 4096

/** Spoils everything of a database but its beginning, as a dying disk may; its log, which may still have it, too. */
export const damageFile = (file: string): void => {
  const { size } = statSync(file)
  const fd = openSync(file, "r+")
  for (let at = PAGE; at < size; at += PAGE) writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, at)
  closeSync(fd)
  if (existsSync(`${file}-wal`)) writeFileSync(`${file}-wal`, "")
}
