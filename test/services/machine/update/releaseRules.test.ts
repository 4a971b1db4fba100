import { assert, describe, it } from "@effect/vitest"
import { Option, Schema, SemVer } from "effect"
import {
  isAtLeast,
  latestTag,
  parsePin,
  parseTag,
  releasesUrl
} from "../../../../src/services/machine/update/Releases.ts"

const nameOf = Option.match({ onNone: () => undefined, onSome: ({ tag }: { readonly tag: string }) => tag })

describe("tags", () => {
  it("are releases only in the form vX.Y.Z", () => {
    for (const tag of ["v1.2.3", "v0.0.1", "v10.20.30-rc.1"]) assert.strictEqual(nameOf(parseTag(tag)), tag)
    for (const tag of ["1.2.3", "v1.2", "v1.2.3.4", "vx", "release-1.2.3", "v01.2.3", ""]) {
      assert.isTrue(Option.isNone(parseTag(tag)), tag)
    }
  })

  it("may be typed without the v", () => {
    assert.strictEqual(nameOf(parsePin("1.2.3")), "v1.2.3")
    assert.strictEqual(nameOf(parsePin("v1.2.3")), "v1.2.3")
    assert.isTrue(Option.isNone(parsePin("latest")))
    assert.isTrue(Option.isNone(parsePin("--upload-pack=x")))
  })

  it("have a latest one by version, not by text, and never a pre-release", () => {
    assert.strictEqual(nameOf(latestTag(["v1.9.0", "v1.10.0", "v1.10.0-rc.1", "v2.0.0-rc.1", "other"])), "v1.10.0")
    assert.isTrue(Option.isNone(latestTag(["v1.0.0-rc.1", "nightly"])))
  })

  const Part = Schema.Literals([0, 1, 2, 9, 10, 11, 100])
  it.prop(
    "have a latest one that none of them is newer than",
    [Schema.NonEmptyArray(Schema.Tuple([Part, Part, Part]))],
    ([versions]) => {
      const tags = versions.map((numbers) => `v${numbers.join(".")}`)
      const latest = Option.getOrUndefined(latestTag(tags))
      assert.include(tags, latest?.tag)
      for (const tag of tags) {
        assert.isTrue(
          latest !== undefined && SemVer.isGreaterThanOrEqualTo(latest.version, SemVer.parseUnsafe(tag.slice(1)))
        )
      }
    }
  )

  it("count as installed when the version here is the same or newer", () => {
    const wanted = SemVer.parseUnsafe("1.2.3")
    assert.deepStrictEqual(
      ["1.2.3", "1.10.0", "2.0.0-rc.1", "1.2.3-rc.1", "1.2.2", "unknown"].map((version) => isAtLeast(version, wanted)),
      [true, true, true, false, false, false]
    )
  })
})

describe("the address of the latest release", () => {
  it.each([
    ["https://github.com/owner/name.git", "https://api.github.com/repos/owner/name/releases/latest"],
    ["git@github.com:owner/name.git", "https://api.github.com/repos/owner/name/releases/latest"],
    ["ssh://git@github.com/owner/name", "https://api.github.com/repos/owner/name/releases/latest"],
    [
      "https://gitlab.example.org/group/sub/name.git",
      "https://gitlab.example.org/api/v4/projects/group%2Fsub%2Fname/releases/permalink/latest"
    ],
    [
      "https://code.example.org:8443/owner/name.git/",
      "https://code.example.org:8443/api/v1/repos/owner/name/releases/latest"
    ],
    [
      "ssh://git@code.example.org:2222/owner/name.git",
      "https://code.example.org/api/v1/repos/owner/name/releases/latest"
    ],
    [
      "https://user:secret@code.example.org/owner/name",
      "https://code.example.org/api/v1/repos/owner/name/releases/latest"
    ]
  ])("of %s", (remote, url) => {
    assert.strictEqual(releasesUrl(remote), url)
  })

  it.each(["/srv/git/name.git", "../name", "file:///srv/name.git", "C:/name", "https://example.org/name", ""])(
    "is none for %s",
    (remote) => {
      assert.isUndefined(releasesUrl(remote))
    }
  )
})
