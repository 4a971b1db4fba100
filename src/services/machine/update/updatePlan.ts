import { Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import type { Target } from "./resolveTarget.ts"
import type { Place, Snapshot } from "./UpdateFiles.ts"
import { FOLDER, keptAs, PREPARED } from "./UpdateTarget.ts"

type Service = Option.Option<ManagedService>

const NEXT = `${FOLDER}/${PREPARED}`

const numbered = (steps: ReadonlyArray<string>) => [
  ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  "This was a dry run: nothing was changed."
]

const kept = (commit: string) => `${FOLDER}/${keptAs(commit.slice(0, 7))}…`

const preparing = (commit: string, name: string): ReadonlyArray<string> => [
  `git worktree add --detach ${NEXT} ${commit} (${name}), next to the current version, which keeps running`,
  `npm ci --include=dev --ignore-scripts=false in ${NEXT}`,
  `npm run build in ${NEXT}`,
  `node dist/cli.js --version in ${NEXT}, to see that it starts on this machine`
]

const swapping = (from: Place, checkout: string, incoming: string): string =>
  `git checkout --force ${checkout}, and swap node_modules and dist by renaming: those of ${from.version} move to ${kept(from.ref)}, the new ones come from ${incoming}`

const ending = (service: Service, version: string): ReadonlyArray<string> =>
  Option.match(service, {
    onNone: () => [],
    onSome: ({ label }) => [
      `restart ${label}`,
      `check /health and /api/version for up to 60 seconds, until ${version} answers`
    ]
  })

/** The exact steps of an update (`--dry-run`). */
export const updatePlan = ({
  from,
  target,
  branch,
  service
}: {
  readonly from: Place
  readonly target: Target
  /** The remote's branch that it's on. */
  readonly branch: string
  readonly service: Service
}) =>
  numbered([
    `git fetch --no-tags ${target.remote} refs/tags/${target.tag}, which is on ${branch} there`,
    "copy .env into snapshots/",
    ...preparing(target.commit, target.tag),
    swapping(from, `--detach ${target.commit}`, NEXT),
    ...ending(service, target.version),
    `keep ${from.version} for \`agent-console update --rollback\``,
    "on a failure before the swap, nothing has changed; after it, everything is renamed back, without network or build, and restarted"
  ])

/** The exact steps of a rollback. */
export const rollbackPlan = ({
  from,
  snapshot,
  service,
  isKept
}: {
  readonly from: Place
  readonly snapshot: Snapshot
  readonly service: Service
  /** Whether its packages and build are still there. */
  readonly isKept: boolean
}) =>
  numbered([
    ...(isKept ? [] : preparing(snapshot.ref, snapshot.version)),
    swapping(from, snapshot.branch ?? `--detach ${snapshot.ref}`, isKept ? kept(snapshot.ref) : NEXT),
    ...ending(service, snapshot.version)
  ])
