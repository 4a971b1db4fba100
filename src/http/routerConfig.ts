/**
 * One spelling per route: letter case, double and trailing slashes matter, so a check on a path can't be bypassed by
 * another spelling that the router would accept. Parameters are only ids and keys.
 */
export const ROUTER_CONFIG = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 512
} as const
