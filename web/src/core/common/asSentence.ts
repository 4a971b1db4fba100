/** What the server says in half a sentence, as a whole one; what is one already stays as it is. */
export const asSentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.:!?。！？؟]$/.test(capital) ? capital : `${capital}.`
}
