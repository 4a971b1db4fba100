declare const __PACKAGE_VERSION__: string

/** The version this page was built from. */
export const PAGE_VERSION = __PACKAGE_VERSION__
