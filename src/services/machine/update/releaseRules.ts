import { Option, Order, Result, SemVer } from "effect"

/** A tag of the form `vX.Y.Z` with the version it names. */
export interface ReleaseTag {
  readonly tag: string
  readonly version: SemVer.SemVer
}

/** Reads `vX.Y.Z`, with or without a pre-release part; anything else isn't a release. */
export const parseTag = (tag: string): Option.Option<ReleaseTag> =>
  tag.startsWith("v")
    ? Option.map(Result.getSuccess(SemVer.parse(tag.slice(1))), (version) => ({ tag, version }))
    : Option.none()

/** Reads the value of `--version`; the leading `v` may be missing. */
export const parsePin = (text: string): Option.Option<ReleaseTag> => parseTag(text.startsWith("v") ? text : `v${text}`)

const byVersion = Order.mapInput(SemVer.Order, ({ version }: ReleaseTag) => version)

/** The latest tag by semantic version, ignoring pre-releases and other tags. */
export const latestTag = (tags: ReadonlyArray<string>): Option.Option<ReleaseTag> =>
  tags
    .flatMap((tag) => Option.toArray(parseTag(tag)))
    .filter(({ version }) => !SemVer.isPrerelease(version))
    .reduce<Option.Option<ReleaseTag>>(
      (best, tag) =>
        Option.some(Option.match(best, { onNone: () => tag, onSome: (one) => Order.max(byVersion)(one, tag) })),
      Option.none()
    )

/** Whether one version is older than or equal to another; an unreadable version is older than any. */
export const isAtLeast = (version: string, wanted: SemVer.SemVer): boolean =>
  Result.match(SemVer.parse(version), {
    onFailure: () => false,
    onSuccess: (parsed) => SemVer.isGreaterThanOrEqualTo(parsed, wanted)
  })

interface RemotePlace {
  readonly origin: string
  readonly host: string
  /** Owner and name, possibly with groups in front, without `.git`. */
  readonly path: string
}

const SCP_FORM = /^(?:[^@/]+@)?([^:/]+):(?!\/)(.+)$/

const placeOf = (remote: string): RemotePlace | undefined => {
  const clean = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")
  if (/^[a-z+]+:\/\//i.test(remote) && URL.canParse(remote)) {
    const url = new URL(remote)
    if (!["http:", "https:", "ssh:", "git:"].includes(url.protocol) || url.hostname === "") return undefined
    // Another protocol's port says nothing about where the host's API listens.
    const origin = url.protocol.startsWith("http") ? url.origin : `https://${url.hostname}`
    return { origin, host: url.hostname, path: clean(url.pathname) }
  }
  const [, host, path] = SCP_FORM.exec(remote) ?? []
  return host === undefined || path === undefined ? undefined : { origin: `https://${host}`, host, path: clean(path) }
}

/**
 * Where a git remote's code host serves its latest release as JSON with `tag_name`: GitHub, GitLab, and for every other
 * host the form shared by Gitea and Forgejo. `undefined` for a remote that isn't a host, such as a folder.
 */
export const releasesUrl = (remote: string): string | undefined => {
  const place = placeOf(remote)
  if (place === undefined || !place.path.includes("/")) return undefined
  if (place.host === "github.com") return `https://api.github.com/repos/${place.path}/releases/latest`
  if (/(^|\.)gitlab\./.test(place.host)) {
    return `${place.origin}/api/v4/projects/${encodeURIComponent(place.path)}/releases/permalink/latest`
  }
  return `${place.origin}/api/v1/repos/${place.path}/releases/latest`
}
