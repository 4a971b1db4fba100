/** The page's languages; the texts in the code are English. `public/theme.js` knows the same ones. */
export const LANGUAGES = ["en", "de", "es", "fr", "ja", "zh", "ar"] as const
