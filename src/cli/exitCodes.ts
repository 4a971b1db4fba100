/**
 * Every exit code of `agent-console`. Scripts rely on the update command's 1 and 10 to 80, so other failures use
 * other codes.
 */
export const exitCodes = {
  /** Success; also what a service manager sees after SIGTERM. */
  ok: 0,
  /** The update had nothing to do: the version is already installed. */
  upToDate: 1,
  /** The search found nothing, as with `grep`. */
  nothingFound: 1,
  /** The command line isn't valid. */
  usage: 2,
  /** A setting is missing, invalid or not allowed. */
  settings: 3,
  /** Can't listen on the address or port. */
  listen: 4,
  /** The console's own folder can't be used. */
  home: 5,
  /** Node is too old and no newer one is installed with the program. */
  node: 6,
  /** The board couldn't be opened, exported or imported. */
  board: 7,
  /** The doctor found something that doesn't work. */
  unwell: 8,
  /** Something unexpected: a bug or a broken machine. */
  unexpected: 9,
  /** The update can't start on this machine as it is. */
  updatePreflight: 10,
  /** The version to update to couldn't be found or fetched. */
  updateResolution: 20,
  /** The new version couldn't be installed or built; the old one is still in place. */
  updateBuild: 40,
  /** The service didn't restart; the old version is back. */
  updateRestart: 50,
  /** The new version wasn't healthy or reported another version; the old one is back. */
  updateHealth: 60,
  /** The archive is damaged. */
  damagedArchive: 65,
  /** There's no archive to read. */
  noArchive: 66,
  /** A console runs with the folder that would be replaced. */
  inUse: 69,
  /** No console is running whose work could be stopped, let go on or limited. */
  noWork: 69,
  /** The rollback failed. */
  updateRollback: 70,
  /** What a command writes can't be put where it was asked to. */
  noPlace: 73,
  /** The archive was made by a newer version, whose format this one can't read. */
  newerArchive: 78,
  /** Another update is running. */
  updateLock: 80,
  /** The service isn't installed or running, or couldn't be installed, removed, restarted or read. */
  service: 90,
  /** No console is running that could be asked. */
  noConsole: 91,
  /** The running console refused to search, or couldn't. */
  search: 92,
  /** The running console refused to list, add or remove a gateway, or the one that was added can't be used yet. */
  gateway: 93,
  /** The running console refused to list, add or remove a budget, or to stop work or let it go on. */
  budget: 94,
  /** Hung up: the terminal went away (128 + SIGHUP). */
  hangup: 129,
  /** Interrupted with Ctrl-C (128 + SIGINT). */
  interrupted: 130,
  /** Ended with Ctrl-\ (128 + SIGQUIT). */
  quit: 131,
  /** Stopped in the middle of something that was then undone (128 + SIGTERM). */
  terminated: 143
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
