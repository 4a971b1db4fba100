/** Letters and signs of scripts that have no spaces between words, and of Korean, whose endings stand right behind a word. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u3000-\u303f\u30fb\u30fc\ufe30-\ufe4f\uff00-\uffef]/u
