import type { LanguageCode, PhraseSet } from "../../../contract/schema/voice.ts"

const phrases = (
  wakePhrases: ReadonlyArray<string>,
  stopPhrases: ReadonlyArray<string>,
  cancelPhrases: ReadonlyArray<string>
): PhraseSet => ({ stopPhrases, cancelPhrases, wakePhrases })

/** The default phrases of each language; custom phrases replace them, array by array. */
export const DEFAULT_PHRASES: Readonly<Record<LanguageCode, PhraseSet>> = {
  en: phrases(
    ["hey agent", "okay agent", "wake up agent"],
    ["send it", "that's all", "over and out", "end of message"],
    ["cancel that", "never mind", "forget it", "scratch that"]
  ),
  zh: phrases(
    ["你好助手", "嘿助手", "助手你好"],
    ["发送", "就这样", "说完了", "发出去"],
    ["取消", "算了", "不用了", "别发了"]
  ),
  hi: phrases(["सुनो एजेंट", "हे एजेंट", "नमस्ते एजेंट"], ["भेज दो", "बस इतना ही", "संदेश समाप्त"], ["रद्द करो", "रहने दो", "छोड़ो"]),
  es: phrases(
    ["oye agente", "hola agente", "escucha agente"],
    ["envíalo", "eso es todo", "fin del mensaje", "mándalo"],
    ["cancélalo", "olvídalo", "déjalo", "no lo envíes"]
  ),
  fr: phrases(
    ["dis agent", "salut agent", "écoute agent"],
    ["envoie le message", "c'est tout", "fin du message", "tu peux envoyer"],
    ["annule ça", "laisse tomber", "oublie ça", "n'envoie pas"]
  ),
  ar: phrases(
    ["يا مساعد", "مرحبا يا مساعد", "اسمع يا مساعد"],
    ["أرسل الرسالة", "هذا كل شيء", "انتهت الرسالة"],
    ["ألغ الرسالة", "لا تهتم", "انس الأمر"]
  ),
  bn: phrases(["শোনো এজেন্ট", "হ্যালো এজেন্ট", "এই এজেন্ট"], ["পাঠিয়ে দাও", "এটুকুই", "বার্তা শেষ"], ["বাতিল করো", "থাক", "বাদ দাও"]),
  pt: phrases(
    ["ei agente", "olá agente", "escuta agente"],
    ["pode enviar", "é só isso", "fim da mensagem", "manda aí"],
    ["cancela isso", "deixa pra lá", "esquece", "não envia"]
  ),
  ru: phrases(
    ["эй агент", "привет агент", "слушай агент"],
    ["отправляй", "это всё", "конец сообщения", "отправь сообщение"],
    ["отмени это", "забудь", "не надо", "не отправляй"]
  ),
  ja: phrases(
    ["ねえエージェント", "ヘイエージェント", "エージェント聞いて"],
    ["送信して", "以上です", "送ってください"],
    ["キャンセルして", "やっぱりいい", "取り消して"]
  ),
  de: phrases(
    ["hey agent", "hallo agent", "hör zu agent"],
    ["abschicken", "das ist alles", "ende der nachricht", "schick das ab"],
    ["abbrechen", "vergiss es", "verwerfen", "doch nicht"]
  ),
  tr: phrases(
    ["hey ajan", "merhaba ajan", "dinle ajan"],
    ["gönder gitsin", "hepsi bu kadar", "mesaj bitti"],
    ["iptal et", "boş ver", "vazgeçtim"]
  )
}
