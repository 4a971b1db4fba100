import { Context } from "effect"
import { failure } from "../../../contract/failures.ts"

export interface UpdateTargetShape {
  /** The checkout to update; absolute. */
  readonly directory: string
  /** The console's own folder; update state is in `updater/` below it. */
  readonly svcHome: string
  /** Where the console answers when it's running, without a trailing slash. */
  readonly address: string
  /** `PATH` for the programs an update runs, without the checkout's own: those disappear during installation. */
  readonly path: string | undefined
  /** Where to look up the latest release, instead of the git remote's code host. */
  readonly releasesUrl: string | undefined
  /** The file of keys that may sign versions (as ssh has it); without one, signatures aren't asked for. */
  readonly allowedSigners: string | undefined
}

/** Why there is nothing to update, and what to do instead. */
export const NO_CHECKOUT = failure("NO_CHECKOUT")
export const NO_REMOTE = failure("NO_REMOTE")

/** What is updated. */
export class UpdateTarget extends Context.Service<UpdateTarget, UpdateTargetShape>()(
  "agent-console/services/machine/update/UpdateTarget"
) {}
