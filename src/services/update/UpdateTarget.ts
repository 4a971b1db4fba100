import { Context } from "effect"

export interface UpdateTargetShape {
  /** The checkout that is kept up to date; absolute. */
  readonly directory: string
  /** The service's own directory; the state of updates is in `updater/` below it. */
  readonly svcHome: string
  /** Where the console answers once it runs, without a slash at the end. */
  readonly address: string
  /** `PATH` for the programs an update runs, without the checkout's own: those disappear while it installs. */
  readonly path: string | undefined
  /** Where the latest published release is told instead of at the code host of the git remote. */
  readonly releasesUrl: string | undefined
}

/** What is updated. */
export class UpdateTarget extends Context.Service<UpdateTarget, UpdateTargetShape>()(
  "agent-console/services/update/UpdateTarget"
) {}
