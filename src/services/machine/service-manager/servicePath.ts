import { isAbsolute, posix } from "node:path"

/** What npm puts in front while it runs a script. */
const OF_NPM = /\/node_modules\/(\.bin|npm\/node_modules\/@npmcli\/run-script\/lib\/node-gyp-bin)\/?$/

/**
 * The PATH that a service gets: the one of the shell that installs it, so that both find the same programs. Left out is
 * what means another folder elsewhere, and what npm adds for its scripts.
 */
export const servicePath = (path: string | undefined): string | undefined => {
  const folders = (path ?? "").split(posix.delimiter).filter((folder) => isAbsolute(folder) && !OF_NPM.test(folder))
  return folders.length === 0 ? undefined : [...new Set(folders)].join(posix.delimiter)
}
