import { assert, describe, it } from "@effect/vitest"
import { inRanges, readAddressRange } from "../../../../src/services/platform/settings/addressRange.ts"

const trusts = (entries: ReadonlyArray<string>) => inRanges(entries.flatMap((entry) => readAddressRange(entry) ?? []))

describe("a range of addresses", () => {
  it.each([
    ["172.16.0.0/12", ["172.16.0.1", "172.31.255.255"], ["172.32.0.0", "172.15.255.255", "::1"]],
    ["172.18.7.9/16", ["172.18.0.1", "172.18.255.255"], ["172.19.0.1"]],
    ["10.0.0.7", ["10.0.0.7"], ["10.0.0.8", "10.0.0.70"]],
    ["10.0.0.7/32", ["10.0.0.7"], ["10.0.0.6"]],
    ["0.0.0.0/0", ["1.2.3.4", "255.255.255.255"], ["2001:db8::1"]],
    ["10.0.0.0/9", ["10.127.255.255"], ["10.128.0.0"]],
    ["fd00::/8", ["fd12:3456::1"], ["fe80::1", "10.0.0.1"]],
    ["2001:db8:1:2:ffff::/64", ["2001:db8:1:2::9"], ["2001:db8:1:3::9"]],
    ["::1", ["::1"], ["::2", "127.0.0.1"]],
    ["::/0", ["2001:db8::1"], ["10.0.0.1"]],
    ["::ffff:10.0.0.0/104", ["10.255.0.1"], ["11.0.0.1"]],
    ["::ffff:127.0.0.1", ["127.0.0.1"], ["127.0.0.2"]],
    ["::FFFF:0a00:0000/112", ["10.0.255.1"], ["10.1.0.1"]],
    ["fe80::1%eth0", ["fe80::1"], ["fe80::2"]]
  ])("%s", (entry, inside, outside) => {
    for (const address of inside) assert.isTrue(trusts([entry])(address), address)
    for (const address of outside) assert.isFalse(trusts([entry])(address), address)
  })

  it.each([
    "nginx",
    "*",
    "localhost",
    "",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/255.0.0.0",
    "10.0.0/8",
    "10.0.0.*",
    "10.0.0.1-10.0.0.9",
    "10.0.0.1:3080",
    "[::1]:3080",
    "[::1]",
    "::1/129",
    "fe80::1%eth0/64",
    "::ffff:10.0.0.0/64",
    "10.0.0.0 / 8",
    "0x0a000001",
    "010.0.0.1"
  ])("is none: %s", (entry) => assert.isUndefined(readAddressRange(entry)))

  it("takes no text that isn't an address for one", () => {
    const isIn = trusts(["0.0.0.0/0", "::/0"])
    for (const text of ["unknown", "", "1.2.3", ":", "::ffff:1.2.3.4"]) assert.isFalse(isIn(text), text)
  })
})
