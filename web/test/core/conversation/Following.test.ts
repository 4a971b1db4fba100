import { assert, describe, it } from "@effect/vitest"
import { createFollowing } from "../../../src/core/conversation/Following.ts"

/** A log of 1,000 pixels of which 300 are seen. */
const place = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 300 })
const isEnd = () => true
const END = 700

/** A log whose reader went up to 100. */
const away = () => {
  const following = createFollowing()
  following.wasPut(place(END))
  following.movedUp(place(END))
  following.scrolled(place(100), isEnd)
  return following
}

describe("the end of the log", () => {
  it("is followed until the reader moves up", () => {
    const following = createFollowing()
    following.wasPut(place(END))
    assert.isTrue(following.state.get().following)
    following.movedUp(place(END))
    assert.isFalse(following.state.get().following)
  })

  it("is followed on while text grows, whatever the places are", () => {
    const following = createFollowing()
    following.wasPut(place(END))
    following.scrolled(place(END, 2000), isEnd)
    following.scrolled(place(400, 2000), isEnd)
    assert.isTrue(following.state.get().following)
  })

  it("cannot be left where everything is seen", () => {
    const following = createFollowing()
    following.movedUp(place(0, 320))
    assert.isTrue(following.state.get().following)
  })

  it("is followed again after scrolling down to it, and not by staying there", () => {
    const following = away()
    following.scrolled(place(650), isEnd)
    assert.isFalse(following.state.get().following)
    following.scrolled(place(680), isEnd)
    assert.isTrue(following.state.get().following)

    const shrunk = away()
    shrunk.scrolled(place(100, 410), isEnd)
    assert.isFalse(shrunk.state.get().following)
  })

  it("of what is drawn is not the end while later messages are not drawn", () => {
    const following = away()
    following.scrolled(place(END), () => false)
    assert.isFalse(following.state.get().following)
  })

  it("counts what arrives for those who are elsewhere, and forgets it when they come", () => {
    const following = away()
    following.arrived(2)
    following.arrived(0)
    following.arrived(-1)
    following.arrived(1)
    assert.deepStrictEqual(following.state.get(), { following: false, missed: 3 })
    following.leave()
    assert.strictEqual(following.state.get().missed, 3)
    following.follow()
    following.arrived(5)
    assert.deepStrictEqual(following.state.get(), { following: true, missed: 0 })
  })
})
