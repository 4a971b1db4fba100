import { Option } from "effect"
import type { ManagedService } from "../service-manager/ServiceManager.ts"
import type { Target } from "./resolveTarget.ts"
import type { Snapshot } from "./updateState.ts"

type Service = Option.Option<ManagedService>

const numbered = (steps: ReadonlyArray<string>) => [
  ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  "This was a dry run: nothing was changed."
]

const ending = (service: Service, version: string): ReadonlyArray<string> =>
  Option.match(service, {
    onNone: () => [],
    onSome: ({ label }) => [
      `restart ${label}`,
      `look at /health and /api/version for up to 60 seconds, until ${version} answers`
    ]
  })

/** The exact steps of an update, for people (`--dry-run`). */
export const updatePlan = ({ target, service }: { readonly target: Target; readonly service: Service }) =>
  numbered([
    `git fetch --no-tags ${target.remote} +refs/tags/${target.tag}:refs/tags/${target.tag}`,
    "note commit and version in last-good.json and copy .env into snapshots/",
    `git checkout --force --detach ${target.commit} (${target.tag})`,
    "npm ci --include=dev",
    "npm run build",
    ...ending(service, target.version),
    "on any failure: the steps of `agent-console update --rollback --dry-run`"
  ])

/** The exact steps of going back. */
export const rollbackPlan = ({ snapshot, service }: { readonly snapshot: Snapshot; readonly service: Service }) =>
  numbered([
    `git checkout --force ${snapshot.branch ?? `--detach ${snapshot.ref}`} (${snapshot.version})`,
    "remove node_modules",
    "npm ci --include=dev",
    "npm run build",
    ...ending(service, snapshot.version)
  ])
