/** Bytes allocated according to what V8 prints under `--trace-gc-nvp`, up to its last collection. */
export const allocatedBytes = (printed: string): number =>
  [...printed.matchAll(/ allocated=(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
