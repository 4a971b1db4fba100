/**
 * One spelling per route: letter case, doubled and trailing slashes count, so a check on a path cannot be bypassed by a
 * spelling that the router would accept. Parameters hold ids and keys, never more.
 */
export const ROUTER_CONFIG = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 512
} as const
