/**
 * The line break an editor must use to split and join a text so that no other byte changes: the text's own if all its
 * lines end alike. In a text with mixed line endings a carriage return is a character like any other.
 */
export const lineBreakOf = (text: string): "\n" | "\r\n" => {
  const feeds = text.split("\n").length - 1
  const pairs = text.split("\r\n").length - 1
  const returns = text.split("\r").length - 1
  return feeds > 0 && feeds === pairs && feeds === returns ? "\r\n" : "\n"
}
