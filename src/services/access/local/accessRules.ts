import type { Stats } from "node:fs"
import { ACCESS_MODE, type Access } from "./accessFile.ts"
import { isLoopbackServer } from "./loopbackServer.ts"

const PERMISSION_BITS = 0o777
const OTHERS_WRITE = 0o022

type Facts = Pick<Stats, "mode" | "uid" | "isFile" | "isDirectory">

/** `user` is undefined where the system has no user ids. */
const isOthers = ({ uid }: Facts, user: number | undefined) => user !== undefined && uid !== user

/** Returns why a folder's access file is rejected, if so: another user could have written it. */
export const folderProblem = (folder: Facts, user: number | undefined): string | undefined => {
  if (!folder.isDirectory()) return "isn't in a folder"
  if (isOthers(folder, user)) return "is in a folder of another user"
  return (folder.mode & OTHERS_WRITE) === 0 ? undefined : "is in a folder that other users can write to"
}

/** Returns why an open access file is rejected, if so. */
export const fileProblem = (file: Facts, user: number | undefined): string | undefined => {
  if (!file.isFile()) return "isn't a regular file"
  if (isOthers(file, user)) return "belongs to another user"
  return (file.mode & PERMISSION_BITS) === ACCESS_MODE ? undefined : "isn't readable and writable by its user alone"
}

/** Returns why the content of an access file is rejected, if so. */
export const addressProblem = ({ address }: Access): string | undefined =>
  isLoopbackServer(address) ? undefined : "names an address that isn't on this machine's loopback"
