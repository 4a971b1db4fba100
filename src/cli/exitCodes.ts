/**
 * Every exit code of `agent-console`, in one place. The codes 1 and 10…80 of the update command are SPEC "Update command"'s;
 * codes of other failures stay outside them.
 */
export const exitCodes = {
  /** Done; also what a service manager sees after SIGTERM. */
  ok: 0,
  /** An update found nothing to do: the version is installed already. */
  upToDate: 1,
  /** The command line itself cannot be understood. */
  usage: 2,
  /** A setting is missing, damaged or not allowed. */
  settings: 3,
  /** The address or port cannot be listened on. */
  listen: 4,
  /** The service's own directory cannot be used. */
  home: 5,
  /** The running Node is too old and no newer one is installed beside the program. */
  node: 6,
  /** The board cannot be opened, exported or imported. */
  board: 7,
  /** The doctor found something that does not work. */
  unwell: 8,
  /** Something unexpected: a bug or a broken machine. */
  unexpected: 9,
  /** An update cannot start on this machine as it is. */
  updatePreflight: 10,
  /** The version to update to cannot be found or fetched. */
  updateResolution: 20,
  /** The new version cannot be installed or built; the old one is back. */
  updateBuild: 40,
  /** The service manager did not restart the service; the old version is back. */
  updateRestart: 50,
  /** The new version was not healthy, or reported another version; the old one is back. */
  updateHealth: 60,
  /** Going back to the old version failed. */
  updateRollback: 70,
  /** Another update is running. */
  updateLock: 80,
  /** The service cannot be installed, removed or asked, or does not run. */
  service: 90,
  /** Hung up: the terminal went away (128 + SIGHUP). */
  hangup: 129,
  /** Interrupted with Ctrl-C (128 + SIGINT). */
  interrupted: 130,
  /** Asked to end in the middle of something that was then undone (128 + SIGTERM). */
  terminated: 143
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
