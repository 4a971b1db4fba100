import { BlockList, isIPv4 } from "node:net"

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i
const IPV6_CHARACTERS = /^[\da-f:.]+$/i
/** The bits of IPv6 in front of an IPv4 address in IPv6 form. */
const MAPPED_BITS = 96

/** Four bytes of IPv4, from two numbers of 16 bits. */
export const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join(".")

const mappedFromHex = (compressed: string): string => {
  const [high = "0", low = "0"] = compressed.slice("::ffff:".length).split(":")
  return dotted(Number.parseInt(high, 16), Number.parseInt(low, 16))
}

/** One spelling per address, without a zone: IPv4-mapped as IPv4, IPv6 compressed; undefined if it isn't one. */
export const readAddress = (text: string): string | undefined => {
  const unzoned = text.split("%", 1)[0] ?? ""
  const mapped = MAPPED_IPV4.exec(unzoned)?.[1]
  if (mapped !== undefined) return isIPv4(mapped) ? mapped : undefined
  if (isIPv4(unzoned)) return unzoned
  // The URL parser recognises IPv6 addresses as reliably as `net.isIPv6`, whose pattern adds milliseconds to the start.
  const url = `http://[${unzoned}]`
  if (!IPV6_CHARACTERS.test(unzoned) || !URL.canParse(url)) return undefined
  const compressed = new URL(url).hostname.slice(1, -1)
  return compressed.startsWith("::ffff:") ? mappedFromHex(compressed) : compressed
}

/** Addresses that begin with the same bits. */
export interface AddressRange {
  /** In its one spelling; bits behind the prefix may be set. */
  readonly address: string
  readonly family: "ipv4" | "ipv6"
  /** How many bits are the same: up to 32 of IPv4, up to 128 of IPv6. */
  readonly prefix: number
}

/** Reads an address or a CIDR range, such as `10.0.0.0/8`; undefined for anything else, a name or a port among them. */
export const readAddressRange = (entry: string): AddressRange | undefined => {
  const [text = "", bits, ...rest] = entry.split("/")
  if (rest.length > 0) return undefined
  const address = readAddress(text)
  if (address === undefined || (bits !== undefined && text.includes("%"))) return undefined
  const family = address.includes(":") ? "ipv6" : "ipv4"
  const most = family === "ipv6" ? 128 : 32
  if (bits === undefined) return { address, family, prefix: most }
  if (!/^\d{1,3}$/.test(bits)) return undefined
  const prefix = family === "ipv4" && text.includes(":") ? Number(bits) - MAPPED_BITS : Number(bits)
  return prefix >= 0 && prefix <= most ? { address, family, prefix } : undefined
}

/** Whether an address, in its one spelling, is in any of some ranges. */
export const inRanges = (ranges: ReadonlyArray<AddressRange>): ((address: string) => boolean) => {
  // A list for each family: a common one takes IPv4 addresses for IPv6 ones as well.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { address, family, prefix } of ranges) lists[family].addSubnet(address, prefix, family)
  return (address) => {
    const family = address.includes(":") ? "ipv6" : "ipv4"
    return readAddress(address) === address && lists[family].check(address, family)
  }
}
