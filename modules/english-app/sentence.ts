/** Sentences that show how a word is used. Pure. */
import * as z from 'zod/mini'

/** Most sentences of one word. */
export const MOST_SENTENCES = 5

const words = (label: string, max: number) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(max, `${label}最多 ${max} 个字符`))

const sentence = z.object({
  en: words('英文例句', 200),
  cn: z._default(z.string('中文应为文字').check(z.trim(), z.maxLength(200, '中文最多 200 个字')), ''),
  audio: z._default(z.nullable(z.string('请重新上传').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传文件'))), null),
})

export const sentencesSchema = z.array(sentence, '例句应为列表').check(z.maxLength(MOST_SENTENCES, `最多 ${MOST_SENTENCES} 个例句`))

export type Sentence = z.infer<typeof sentence>

const letters = (text: string) => text.toLowerCase().replaceAll('’', "'").replace(/[^a-z']+/g, ' ').trim()

/** Endings that school grammar adds to a word, where nobody wrote its forms down. */
const regular = (word: string): string[] => {
  const stem = word.replace(/e$/, '')
  const y = word.replace(/y$/, '')
  const last = word.at(-1) ?? ''
  return [word, `${word}s`, `${word}es`, `${word}'s`, `${stem}ed`, `${stem}ing`, `${stem}er`, `${stem}est`, `${word}${last}ing`, `${word}${last}ed`, ...(y === word ? [] : [`${y}ies`, `${y}ied`, `${y}ier`, `${y}iest`])]
}

/** Whether a sentence holds a word or one of its forms; of a phrase, all of its words in their order. */
export function holdsWord(en: string, headword: string, forms: readonly string[]): boolean {
  const said = ` ${letters(en)} `
  return [...regular(letters(headword)), ...forms.map(letters)].some((form) => form !== '' && said.includes(` ${form} `)) || phraseIn(said, letters(headword))
}

/** A phrase may stand with something between its words and with its verb in another form: have breakfast, has a big breakfast. */
function phraseIn(said: string, phrase: string): boolean {
  const parts = phrase.split(' ')
  if (parts.length < 2) return false
  let at = 0
  return parts.every((part) => {
    const found = [...regular(part), ...(part === 'have' ? ['has', 'had'] : part === 'go' ? ['went'] : part === 'be' ? ['am', 'is', 'are'] : [])].map((form) => said.indexOf(` ${form} `, at)).filter((place) => place >= 0)
    if (found.length === 0) return false
    at = Math.min(...found) + 1
    return true
  })
}
