/**
 * Every exit code of `agent-console`, in one place. The codes 1 and 10…80 of the update command are SPEC "Update command"'s;
 * codes of other failures stay outside them.
 */
export const exitCodes = {
  /** Done; also what a service manager sees after SIGTERM. */
  ok: 0,
  /** Something unexpected: a bug or a broken machine. */
  unexpected: 1,
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
  /** Hung up: the terminal went away (128 + SIGHUP). */
  hangup: 129,
  /** Interrupted with Ctrl-C (128 + SIGINT). */
  interrupted: 130
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
