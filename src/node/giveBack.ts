import type { Socket } from "node:net"

/** Smaller chunks may share their memory with others. */
const OWN_BYTES = 32_768

/**
 * Frees a chunk that was just read from a connection and written to another, if the system has taken all of it: the next
 * read gets the same memory. Otherwise each 64 KB stay until a collection, and so much memory outside the heap makes V8
 * collect the whole of it, over and over.
 */
export const giveBack = (chunk: Buffer, writtenTo: Socket): void => {
  const { buffer } = chunk
  const isOwn = chunk.length >= OWN_BYTES && chunk.byteOffset === 0 && chunk.length === buffer.byteLength
  if (isOwn && buffer instanceof ArrayBuffer && writtenTo.writableLength === 0) buffer.transfer(0)
}
