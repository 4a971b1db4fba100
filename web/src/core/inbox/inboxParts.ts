import type { Observable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { Asked, Drafts, EndNote, InboxItem } from "./inboxTypes.ts"

/** What the inbox needs of the page. */
export interface InboxParts {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "connected" | "on">
  readonly link: Pick<GatewayLink, "onEvent">
  readonly env: Pick<Environment, "now">
}

/** What the store publishes. */
export interface InboxState {
  readonly open: Observable<ReadonlyArray<InboxItem>>
  readonly denied: Observable<ReadonlyMap<string, number>>
  readonly asked: Observable<ReadonlyMap<string, Asked>>
  readonly said: Observable<{ readonly id: string } | null>
  readonly notes: Observable<ReadonlyArray<EndNote>>
  readonly drafts: Observable<Readonly<Record<string, Drafts>>>
  readonly failure: Observable<string | null | undefined>
}
