/** What a service manager needs to know about the console. Paths are absolute. */
export interface ServiceDefinition {
  /** The Node that runs it. */
  readonly node: string
  /** `dist/cli.js`. */
  readonly script: string
  /** Working directory: the folder with `.env` and `certs/`. */
  readonly directory: string
  /** Where launchd writes its output; systemd has its journal. */
  readonly logFile: string
  /** Where it finds programs; `undefined` leaves that to the service manager. */
  readonly path: string | undefined
  /** The user a system-wide service runs as. */
  readonly user: string
}
