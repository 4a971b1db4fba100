import { NOTHING } from "./frames.ts"

/** Pieces are joined up to this size, so that bytes that come one by one don't each take an object. */
const JOINED_BYTES = 65_536

/** Bytes in the order they came. None is copied more than a few times, whatever sizes they come in. */
export class ByteQueue {
  private pieces: Array<Buffer> = []
  private size = 0

  get length(): number {
    return this.size
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.size += bytes.length
    let last = bytes
    // Only with one that isn't longer: each byte is copied at most once for every doubling.
    for (let before = this.pieces.at(-1); before !== undefined; before = this.pieces.at(-1)) {
      if (before.length > last.length || before.length + last.length > JOINED_BYTES) break
      this.pieces.pop()
      last = Buffer.concat([before, last])
    }
    this.pieces.push(last)
  }

  /** The next bytes, at most `count`, which stay in the queue; copied only if they're in several pieces. */
  peek(count: number): Buffer {
    const first = this.pieces[0] ?? NOTHING
    if (first.length >= count || this.pieces.length < 2) return first.subarray(0, count)
    const parts: Array<Buffer> = []
    let found = 0
    for (const piece of this.pieces) {
      if (found >= count) break
      parts.push(piece.subarray(0, count - found))
      found += piece.length
    }
    return Buffer.concat(parts)
  }

  /** The next bytes, at most `count`, out of the queue. */
  take(count: number): Buffer {
    const taken = this.peek(count)
    let left = taken.length
    this.size -= left
    let used = 0
    for (const piece of this.pieces) {
      if (piece.length > left) {
        if (left > 0) this.pieces[used] = piece.subarray(left)
        break
      }
      left -= piece.length
      used += 1
    }
    this.pieces = used === this.pieces.length ? [] : this.pieces.slice(used)
    return taken.length === 0 ? NOTHING : taken
  }
}
