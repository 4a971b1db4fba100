/** What a service manager has to know of the console. Paths are absolute. */
export interface ServiceDefinition {
  /** The Node that runs it. */
  readonly node: string
  /** `dist/cli.js`. */
  readonly script: string
  /** Where it starts: the folder of `.env` and `certs/`. */
  readonly directory: string
  /** Where launchd writes what it prints; systemd has its journal. */
  readonly logFile: string
  /** Whom the system's own manager runs it as. */
  readonly user: string
}
